package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs rounds of {@code hv bench} in a domain. Opens the device on each data path once, connects to
 * its peer, writes {@code bench/ready}, and then waits in the store, without using the processor,
 * for commands, numbered from 1: {@code domain/tool/bench/<own name>/<n>} is
 *
 * <ul>
 *   <li>a {@link BenchRound}, answered by {@code ok <samples> <chunks> <chunk 0>} with chunks of
 *       {@link SampleCodec};
 *   <li>{@code chunk <i>} of the last round, answered by {@code ok <chunk i>};
 *   <li>{@code end}.
 * </ul>
 *
 * The answer is {@code bench/<n>} under its own name, or {@code failed <why>}; it stays until the
 * next command, as the store has room for about one. The passive side writes {@code
 * bench/<n>/armed} when it is ready to answer.
 */
public final class BenchProgram {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Domain domain;
    private final Store store;
    private final Map<DataPathKind, BenchLink> links = new EnumMap<>(DataPathKind.class);
    private long[] nanos = new long[0];
    private List<String> chunks = List.of();

    private BenchProgram(Domain domain) {
        this.domain = domain;
        this.store = domain.store();
    }

    /**
     * @param args the peer's name, the largest message in bytes, then data paths
     */
    public static void main(String[] args) throws VerbsException, BenchFailure {
        new BenchProgram(Domain.current()).run(args);
    }

    private void run(String[] args) throws VerbsException, BenchFailure {
        String peer = args[0];
        int largestBytes = Integer.parseInt(args[1]);
        for (int i = 2; i < args.length; i++) {
            DataPathKind path = DataPathKind.valueOf(args[i]);
            BenchLink link = new BenchLink(domain, path, peer, largestBytes, PATIENCE);
            links.put(path, link);
            PingPongRound.fill(link);
        }
        store.write("bench/ready", "1");
        for (int n = 1; ; n++) {
            String line = nextCommand(n);
            store.remove("bench/" + (n - 1) + "/armed");
            store.remove("bench/" + (n - 1));
            if (line.equals("end")) {
                break;
            }
            store.write("bench/" + n, answer(n, line));
        }
        for (BenchLink link : links.values()) {
            link.close();
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

    private String answer(int n, String line) throws VerbsException {
        if (line.startsWith("chunk ")) {
            return "ok " + chunks.get(Integer.parseInt(line.substring("chunk ".length())));
        }
        BenchRound command = BenchRound.parse(line);
        BenchLink link = links.get(command.path());
        if (link == null) {
            return "failed data path " + command.path() + " was not opened";
        }
        if (nanos.length < command.iterations()) {
            nanos = new long[command.iterations()];
        }
        try {
            int count = round(n, link, command);
            chunks = SampleCodec.encode(nanos, count);
            return "ok " + count + " " + chunks.size() + " " + (chunks.isEmpty() ? "" : chunks.getFirst());
        } catch (BenchFailure e) {
            return "failed " + e.getMessage();
        }
    }

    private int round(int n, BenchLink link, BenchRound command) throws VerbsException, BenchFailure {
        if (command.verb() != BenchVerb.SEND) {
            return new OneSidedRound(link, command).run(nanos);
        }
        PingPongRound round = new PingPongRound(link, command);
        if (command.active()) {
            return round.runActive(nanos);
        }
        store.write("bench/" + n + "/armed", "1");
        round.runPassive();
        return 0;
    }
}
