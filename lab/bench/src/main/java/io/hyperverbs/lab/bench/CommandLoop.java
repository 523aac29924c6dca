package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.List;

/**
 * Waits in the store, without using the processor, for commands of the toolstack, numbered from 1: {@code
 * domain/tool/bench/<own name>/<n>} is
 *
 * <ul>
 *   <li>what the program knows, which it may answer by {@link #samples};
 *   <li>{@code chunk <i>} of the last samples, answered by {@code ok <chunk i>};
 *   <li>{@code end}.
 * </ul>
 *
 * The answer is {@code bench/<n>} under its own name; it stays until the next command, as the store has room for about
 * one. One thread.
 */
final class CommandLoop {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Domain domain;
    private final Store store;
    private List<String> chunks = List.of();

    /** Does what a command says, and answers it; {@code n} is its number. */
    interface Program {
        String answer(int n, String line) throws VerbsException;
    }

    CommandLoop(Domain domain) {
        this.domain = domain;
        this.store = domain.store();
    }

    /** Writes {@code bench/ready}, and returns after {@code end}. */
    void run(Program program) throws VerbsException {
        store.write("bench/ready", "1");
        for (int n = 1; ; n++) {
            String line = next(n);
            store.remove(armed(n - 1));
            store.remove("bench/" + (n - 1));
            if (line.equals("end")) {
                break;
            }
            store.write("bench/" + n, line.startsWith("chunk ") ? chunk(line) : program.answer(n, line));
        }
    }

    /** Says, before the answer to command {@code n}, that this domain is ready to answer its peer. */
    void arm(int n) throws VerbsException {
        store.write(armed(n), "1");
    }

    /** An answer with times: {@code ok <samples> <chunks> <chunk 0>}, chunks of {@link SampleCodec}. */
    String samples(long[] nanos, int count) {
        chunks = SampleCodec.encode(nanos, count);
        return "ok " + count + " " + chunks.size() + " " + (chunks.isEmpty() ? "" : chunks.getFirst());
    }

    private static String armed(int n) {
        return "bench/" + n + "/armed";
    }

    private String chunk(String line) {
        return "ok " + chunks.get(Integer.parseInt(line.substring("chunk ".length())));
    }

    private String next(int n) throws VerbsException {
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
