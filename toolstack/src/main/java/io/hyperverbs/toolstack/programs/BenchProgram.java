package io.hyperverbs.toolstack.programs;

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
 * its peer, and then waits in the store, without using the processor, for rounds: {@code
 * domain/tool/bench/<own name>/<n>} is a {@link BenchCommand} or {@code end}. It answers under its
 * own name with {@code bench/<n>/armed} (passive side, ready to answer), chunks {@code
 * bench/<n>/<i>} of {@link SampleCodec}, and last {@code bench/<n>/done}: {@code ok <chunks>
 * <samples>} or {@code failed <why>}.
 */
public final class BenchProgram {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Domain domain;
    private final Store store;
    private final Map<DataPathKind, BenchLink> links = new EnumMap<>(DataPathKind.class);
    private long[] nanos = new long[0];

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
            if (line.equals("end")) {
                break;
            }
            store.write("bench/" + n + "/done", round(n, BenchCommand.parse(line)));
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

    private String round(int n, BenchCommand command) throws VerbsException {
        BenchLink link = links.get(command.path());
        if (link == null) {
            return "failed data path " + command.path() + " was not opened";
        }
        if (nanos.length < command.iterations()) {
            nanos = new long[command.iterations()];
        }
        try {
            int count = 0;
            if (command.verb() != BenchVerb.SEND) {
                count = new OneSidedRound(link, command).run(nanos);
            } else if (command.active()) {
                count = new PingPongRound(link, command).runActive(nanos);
            } else {
                store.write("bench/" + n + "/armed", "1");
                new PingPongRound(link, command).runPassive();
            }
            List<String> chunks = SampleCodec.encode(nanos, count);
            for (int i = 0; i < chunks.size(); i++) {
                store.write("bench/" + n + "/" + i, chunks.get(i));
            }
            return "ok " + chunks.size() + " " + count;
        } catch (BenchFailure e) {
            return "failed " + e.getMessage();
        }
    }
}
