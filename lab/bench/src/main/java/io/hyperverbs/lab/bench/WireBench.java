package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import java.time.Duration;
import java.util.Optional;

/**
 * Rounds of {@code hv bench} between guests of two hosts, which meet by the connection manager: no store reaches both. The
 * side that calls measures and prints a line for each round: its word, how many samples, and chunks of {@link
 * SampleCodec}; the other answers its sends.
 */
public final class WireBench {
    /** What people call it. */
    public static final String WORD = "bench-wire";

    private static final long SERVICE = 0x6277_6972_65L;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private WireBench() {}

    /**
     * @param args the largest message in bytes, then nothing to be called, or the guest to call, how often, and what:
     *     {@link BenchRound}s with commas for spaces
     */
    public static void main(String[] args) throws VerbsException, BenchFailure, InterruptedException {
        try (BenchLink link = new BenchLink(Domain.current(), DataPathKind.BYPASS, Integer.parseInt(args[0]));
                PeerCalls calls = new PeerCalls(link.context(), SERVICE)) {
            if (args.length == 1) {
                serve(link, calls);
            } else {
                call(link, calls, args);
            }
        }
    }

    private static void serve(BenchLink link, PeerCalls calls)
            throws VerbsException, BenchFailure, InterruptedException {
        Optional<CmEvent> request = calls.nextCall(PATIENCE);
        if (request.isEmpty()) {
            throw new BenchFailure("nobody called within " + PATIENCE.toSeconds() + " s");
        }
        try (CmConnection connection = request.get().connection()) {
            link.peer = Endpoint.parse(PeerCalls.text(request.get()));
            link.initialize();
            PingPongRound.fill(link);
            calls.accept(connection, link.qp, link.parameters(), PATIENCE);
            Poll poll = new Poll();
            WorkCompletion first = poll.await(link.receiveCq, PATIENCE);
            while (!PingPongRound.isEnd(first)) {
                new PingPongRound(link, BenchRound.answers(first.byteCount())).runPassive(first);
                first = poll.await(link.receiveCq, PATIENCE);
            }
            calls.awaitHangUp(connection, PATIENCE);
        }
    }

    private static void call(BenchLink link, PeerCalls calls, String[] args)
            throws VerbsException, BenchFailure, InterruptedException {
        CmEvent answer = calls.call(args[1], link.qp, link.parameters(), PATIENCE);
        try (CmConnection connection = answer.connection()) {
            link.peer = Endpoint.parse(PeerCalls.text(answer));
            PingPongRound.fill(link);
            for (int n = Integer.parseInt(args[2]); n > 0; n--) {
                for (int i = 3; i < args.length; i++) {
                    measure(link, args[i]);
                }
            }
            PingPongRound.end(link);
            calls.hangUp(connection, PATIENCE);
        }
    }

    private static void measure(BenchLink link, String words) throws BenchFailure {
        BenchRound round = BenchRound.parse(words.replace(',', ' '));
        long[] nanos = new long[round.iterations()];
        int count = round.verb() == BenchVerb.SEND
                ? new PingPongRound(link, round).runActive(nanos)
                : new OneSidedRound(link, round).run(nanos);
        System.out.println(words + " " + count + " " + String.join(" ", SampleCodec.encode(nanos, count)));
    }
}
