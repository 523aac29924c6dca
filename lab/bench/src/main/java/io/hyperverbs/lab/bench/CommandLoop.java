package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.List;

/**
 * Does what the toolstack asks of a domain, one command after another. Writes {@code bench/ready}, and then waits in
 * the store, without using the processor, for commands, numbered from 1: {@code domain/tool/bench/<own name>/<n>} is
 *
 * <ul>
 *   <li>the program's own command;
 *   <li>{@code chunk <i>} of the last answer's samples, answered by {@code ok <chunk i>};
 *   <li>{@code end}.
 * </ul>
 *
 * The answer is {@code bench/<n>} under its own name, or {@code failed <why>}; it stays until the next command, as
 * the store has room for about one. One thread.
 */
public final class CommandLoop {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The program's own commands. */
    public interface Work {
        /**
         * @param n number of the command
         * @return the answer, such as that of {@link CommandLoop#samples}
         * @throws BenchFailure for an answer that says why it failed
         */
        String answer(int n, String line) throws VerbsException, BenchFailure;
    }

    private final Domain domain;
    private final Store store;
    private List<String> chunks = List.of();

    public CommandLoop(Domain domain) {
        this.domain = domain;
        this.store = domain.store();
    }

    /** Says that it is ready, and returns after {@code end}. */
    public void run(Work work) throws VerbsException {
        store.write("bench/ready", "1");
        for (int n = 1; ; n++) {
            String line = nextCommand(n);
            store.remove("bench/" + (n - 1) + "/armed");
            store.remove("bench/" + (n - 1));
            if (line.equals("end")) {
                return;
            }
            store.write("bench/" + n, answer(work, n, line));
        }
    }

    /** Says that the passive side of command {@code n} is ready to answer. */
    void armed(int n) throws VerbsException {
        store.write("bench/" + n + "/armed", "1");
    }

    /** An answer of {@code ok <samples> <chunks> <chunk 0>} with chunks of {@link SampleCodec}. */
    public String samples(long[] nanos, int count) {
        chunks = SampleCodec.encode(nanos, count);
        return "ok " + count + " " + chunks.size() + " " + (chunks.isEmpty() ? "" : chunks.getFirst());
    }

    private String answer(Work work, int n, String line) throws VerbsException {
        if (line.startsWith("chunk ")) {
            return "ok " + chunks.get(Integer.parseInt(line.substring("chunk ".length())));
        }
        try {
            return work.answer(n, line);
        } catch (BenchFailure e) {
            return "failed " + e.getMessage();
        }
    }

    private String nextCommand(int n) throws VerbsException {
        while (true) {
            try {
                return store.await("tool", "bench/" + domain.name() + "/" + n, PATIENCE);
            } catch (VerbsException e) {
                if (e.status() != VerbsStatus.ETIMEDOUT) {
                    throw e;
                }
            }
        }
    }
}
