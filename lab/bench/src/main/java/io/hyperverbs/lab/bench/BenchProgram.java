package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * Runs rounds of {@code hv bench} in a domain. Opens the device on each data path once, connects to
 * its peer, and then takes commands ({@link CommandLoop}), each a {@link BenchRound}, answered by its samples or {@code
 * failed <why>}. The passive side says that it is armed when it is ready to answer.
 */
public final class BenchProgram {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Domain domain;
    private final CommandLoop commands;
    private final Map<DataPathKind, BenchLink> links = new EnumMap<>(DataPathKind.class);
    private long[] nanos = new long[0];

    private BenchProgram(Domain domain) {
        this.domain = domain;
        this.commands = new CommandLoop(domain);
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
        commands.run(this::answer);
        for (BenchLink link : links.values()) {
            link.close();
        }
    }

    private String answer(int n, String line) throws VerbsException {
        BenchRound command = BenchRound.parse(line);
        BenchLink link = links.get(command.path());
        if (link == null) {
            return "failed data path " + command.path() + " was not opened";
        }
        if (nanos.length < command.iterations()) {
            nanos = new long[command.iterations()];
        }
        try {
            return commands.samples(nanos, round(n, link, command));
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
        commands.arm(n);
        round.runPassive();
        return 0;
    }
}
