package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmParameters;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends a message to and fro over a reliable connection and prints what {@code ibv_rc_pingpong}
 * prints. Without a peer's name it is the server and answers whoever calls.
 */
public final class PingPong {
    /** What people call it. */
    public static final String WORD = "pingpong";

    private static final String USAGE = """
        usage: pingpong [-s BYTES] [-n ITERS] [-w ITERS] [-r DEPTH] [-e] [-c CLIENTS] [PEER]
          -s, --size      bytes of each message (the other side's, or 4096)
          -n, --iters     round trips that are timed (the other side's, or 1000; 1000000 at most)
          -w, --warm-up   round trips before those (the other side's, or 5000)
          -r, --rx-depth  receives posted (500)
          -e, --events    sleep on completion events instead of polling
          -c, --clients   as server: answer so many clients, one after another (1)
          PEER            domain to call; without it wait to be called
        Options that both sides give must be the same.
        """;
    private static final long SERVICE = 0x70_696e_6770_6f6eL;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LINGER = Duration.ofSeconds(10);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final Domain domain;
    private final Terms terms;
    private final int depth;
    private final boolean events;
    private final Rendezvous rendezvous;

    private PingPong(Domain domain, Terms terms, int depth, boolean events) {
        this.domain = domain;
        this.terms = terms;
        this.depth = depth;
        this.events = events;
        this.rendezvous = new Rendezvous(domain);
    }

    /** See {@code --help}. */
    public static void main(String[] args) throws VerbsException, InterruptedException {
        try {
            play(args);
        } catch (IllegalArgumentException e) {
            // The command line, or two that do not go together.
            throw new PingPongFailure("pingpong: " + e.getMessage());
        }
    }

    /**
     * The domain that a ping-pong with these arguments calls; empty if it waits to be called.
     *
     * @throws IllegalArgumentException for arguments that make no sense
     */
    public static Optional<String> peer(List<String> args) {
        Options options = Options.of(new Arguments(args.toArray(String[]::new)));
        return options.peer.isEmpty() ? Optional.empty() : Optional.of(options.peer);
    }

    /** The command line. */
    private record Options(Terms terms, int depth, boolean events, int clients, String peer, boolean help) {
        static Options of(Arguments given) {
            boolean help = given.flag("-h", "--help");
            return new Options(
                    new Terms(
                            given.number("-s", "--size", 1),
                            given.numberUpTo("-n", "--iters", 1, Terms.MOST_ITERATIONS),
                            given.numberUpTo("-w", "--warm-up", 0, Terms.MOST_WARM_UP)),
                    given.number("-r", "--rx-depth", 500, 2),
                    given.flag("-e", "--events"),
                    given.number("-c", "--clients", 1, 1),
                    given.word(),
                    help);
        }
    }

    private static void play(String[] args) throws VerbsException, InterruptedException {
        Options options = Options.of(new Arguments(args));
        if (options.help) {
            System.out.print(USAGE);
            return;
        }
        PingPong pingPong = new PingPong(Domain.current(), options.terms, options.depth, options.events);
        if (options.peer.isEmpty()) {
            pingPong.serve(options.clients);
        } else if (pingPong.rendezvous.isHere(options.peer)) {
            pingPong.connectAndRun(options.peer);
        } else {
            pingPong.callAndRun(options.peer);
        }
    }

    /** Guests of this machine call in the store, those of others by the connection manager. */
    private void serve(int clients) throws VerbsException, InterruptedException {
        try (Context context = domain.devices().getFirst().open();
                PeerCalls calls = new PeerCalls(context, SERVICE)) {
            for (int answered = 0; answered < clients; ) {
                Optional<CmEvent> call = calls.nextCall(LOOK_AGAIN);
                if (call.isPresent()) {
                    answerAndRun(context, calls, call.get());
                    answered++;
                    continue;
                }
                Optional<String> caller = rendezvous.nextCaller();
                if (caller.isPresent() && answered(caller.get())) {
                    answered++;
                }
            }
        }
    }

    private boolean answered(String caller) throws VerbsException {
        try {
            connectAndRun(caller);
            return true;
        } catch (VerbsException e) {
            if (e.status() != VerbsStatus.ENOENT) {
                throw e;
            }
            // It called and ended before it was answered.
            System.err.println(caller + " has ended");
            return false;
        }
    }

    private void connectAndRun(String peer) throws VerbsException {
        String session = Long.toHexString(ThreadLocalRandom.current().nextLong());
        Call call = new Call(session, terms);
        try (Meeting meeting = new Meeting(domain.store(), domain.name(), peer, call, PATIENCE)) {
            Terms.Agreed agreed = terms.with(meeting.peerCall().terms(), domain.name(), peer);
            if (!agreed.reached()) {
                meeting.leave();
                throw disagreed(agreed);
            }
            run(meeting, agreed, peer);
        }
    }

    private static IllegalArgumentException disagreed(Terms.Agreed agreed) {
        return new IllegalArgumentException(agreed.disagreement() + "; give it on one side, or the same on both");
    }

    private void run(Meeting meeting, Terms.Agreed agreed, String peerName) throws VerbsException {
        try (Context context = domain.devices().getFirst().open();
                PingPongEnd end = new PingPongEnd(domain, context, depth, events)) {
            MemoryRegion region = end.register(agreed.sizeBytes());
            int psn = ThreadLocalRandom.current().nextInt(1 << 24);
            Endpoint own = end.qp().endpoint(psn, region);
            print("local", own);
            Endpoint peer = Endpoint.parse(meeting.swap("end", own.format()));
            print("remote", peer);
            end.qp().connect(peer, psn, PingPongEnd.RIGHTS);
            // Who sends before the peer's queue pair is up waits for a transport timeout.
            meeting.swap("ready", "1");
            end.exchange(agreed, region).run(domain.name().compareTo(peerName) < 0, false);
            // A wire may have lost the last ACK: the peer asks for it once more.
            meeting.leave();
        }
    }

    /** The caller begins, as the peer has posted its receives before it answered. */
    private void callAndRun(String peer) throws VerbsException, InterruptedException {
        try (Context context = domain.devices().getFirst().open();
                PeerCalls calls = new PeerCalls(context, SERVICE);
                PingPongEnd end = new PingPongEnd(domain, context, depth, events)) {
            CmEvent answer = calls.call(peer, end.qp(), parameters(context), PATIENCE);
            try (CmConnection connection = answer.connection()) {
                Offer offer = Offer.parse(PeerCalls.text(answer));
                Terms.Agreed agreed = terms.with(offer.terms, domain.name(), peer);
                if (!agreed.reached()) {
                    throw disagreed(agreed);
                }
                MemoryRegion region = end.register(agreed.sizeBytes());
                print(end, region, connection, answer, offer);
                end.exchange(agreed, region).run(true, false);
                calls.hangUp(connection, LINGER);
            }
        }
    }

    private void answerAndRun(Context context, PeerCalls calls, CmEvent request) throws VerbsException {
        try (PingPongEnd end = new PingPongEnd(domain, context, depth, events);
                CmConnection connection = request.connection()) {
            Offer offer = Offer.parse(PeerCalls.text(request));
            Terms.Agreed agreed = terms.with(offer.terms, domain.name(), request.guest());
            if (!agreed.reached()) {
                connection.reject(parameters(context).privateData());
                throw disagreed(agreed);
            }
            MemoryRegion region = end.register(agreed.sizeBytes());
            MessageExchange exchange = end.exchange(agreed, region);
            end.qp().modify(QpAttributes.toInit(PingPongEnd.RIGHTS));
            exchange.refill();
            calls.accept(connection, end.qp(), parameters(context), PATIENCE);
            print(end, region, connection, request, offer);
            exchange.run(false, true);
            calls.awaitHangUp(connection, PATIENCE);
        }
    }

    /** What a side says of itself in its REQ, REP or REJ. */
    private record Offer(int lid, Terms terms) {
        String format() {
            return lid + " " + terms.format();
        }

        static Offer parse(String line) {
            int space = line.indexOf(' ');
            if (!line.matches("[0-9]{1,5} .*")) {
                throw new IllegalArgumentException(
                        line.isEmpty() ? "the peer has ended the call" : "not the call of a pingpong: " + line);
            }
            return new Offer(Integer.parseInt(line.substring(0, space)), Terms.parse(line.substring(space + 1)));
        }
    }

    private CmParameters parameters(Context context) throws VerbsException {
        Offer own = new Offer(context.queryPort(1).lid(), terms);
        return CmParameters.standard().withResponseTimeout(PATIENCE).withPrivateData(PrivateData.of(own.format()));
    }

    private static void print(PingPongEnd end, MemoryRegion region, CmConnection connection, CmEvent peer, Offer offer)
            throws VerbsException {
        int psn = (int) connection.attributes(QpState.RTS).get(QpAttribute.SQ_PSN);
        print("local", end.qp().endpoint(psn, region));
        print("remote", new Endpoint(offer.lid, peer.offer().qpn(), peer.offer().psn(), 0, 0, 0));
    }

    private static void print(String side, Endpoint endpoint) {
        System.out.printf(
                Locale.ROOT,
                "  %-15s LID 0x%04x, QPN 0x%06x, PSN 0x%06x%n",
                side + " address:",
                endpoint.lid(),
                endpoint.qpn(),
                endpoint.psn());
    }
}
