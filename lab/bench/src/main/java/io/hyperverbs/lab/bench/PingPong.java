package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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
          -n, --iters     round trips that are timed (the other side's, or 1000)
          -w, --warm-up   round trips before those (the other side's, or 5000)
          -r, --rx-depth  receives posted (500)
          -e, --events    sleep on completion events instead of polling
          -c, --clients   as server: answer so many clients, one after another (1)
          PEER            domain to call; without it wait to be called
        Options that both sides give must be the same.
        """;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE);

    private final Domain domain;
    private final Terms terms;
    private final int depth;
    private final boolean events;
    private final WorkCompletion[] completions = new WorkCompletion[16];
    private final WaitingPolicy waiting;

    private PingPong(Domain domain, Terms terms, int depth, boolean events) {
        this.domain = domain;
        this.terms = terms;
        this.depth = depth;
        this.events = events;
        this.waiting = events ? WaitingPolicy.hybrid() : WaitingPolicy.yielding();
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
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
                            given.number("-n", "--iters", 1),
                            given.number("-w", "--warm-up", 0)),
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
        Domain domain = Domain.current();
        PingPong pingPong = new PingPong(domain, options.terms, options.depth, options.events);
        if (!options.peer.isEmpty()) {
            pingPong.connectAndRun(options.peer);
            return;
        }
        Rendezvous rendezvous = new Rendezvous(domain);
        for (int answered = 0; answered < options.clients; ) {
            String caller = rendezvous.nextCaller();
            try {
                pingPong.connectAndRun(caller);
                answered++;
            } catch (VerbsException e) {
                if (e.status() != VerbsStatus.ENOENT) {
                    throw e;
                }
                // It called and ended before it was answered.
                System.err.println(caller + " has ended");
            }
        }
    }

    private void connectAndRun(String peer) throws VerbsException {
        String session = Long.toHexString(ThreadLocalRandom.current().nextLong());
        Call call = new Call(session, terms);
        try (Meeting meeting = new Meeting(domain.store(), domain.name(), peer, call, PATIENCE)) {
            Terms.Agreed agreed = terms.with(meeting.peerCall().terms(), domain.name(), peer);
            if (!agreed.reached()) {
                meeting.leave();
                throw new IllegalArgumentException(
                        agreed.disagreement() + "; give it on one side, or the same on both");
            }
            run(meeting, agreed, peer);
        }
    }

    private void run(Meeting meeting, Terms.Agreed agreed, String peerName) throws VerbsException {
        MemorySegment buffer = domain.memory().allocate(agreed.sizeBytes(), 4096);
        try (Context context = domain.devices().getFirst().open();
                ProtectionDomain pd = context.allocatePd();
                MemoryRegion region = pd.register(buffer, RIGHTS);
                CompletionChannel channel = context.createChannel();
                CompletionQueue cq = context.createCq(depth + 1, events ? channel : null);
                RcQueuePair qp = pd.createRc(QpLimits.of(1, depth), cq, cq)) {
            int psn = ThreadLocalRandom.current().nextInt(1 << 24);
            Endpoint own = qp.endpoint(psn, region);
            print("local", own);
            Endpoint peer = Endpoint.parse(meeting.swap("end", own.format()));
            print("remote", peer);
            qp.connect(peer, psn, RIGHTS);
            // Who sends before the peer's queue pair is up waits for a transport timeout.
            meeting.swap("ready", "1");
            new Exchange(agreed, qp, cq, channel, region).run(domain.name().compareTo(peerName) < 0);
            // A wire may have lost the last ACK: the peer asks for it once more.
            meeting.leave();
        } finally {
            domain.memory().free(buffer);
        }
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

    /** The messages over one connection. */
    private final class Exchange {
        private final RcQueuePair qp;
        private final CompletionQueue cq;
        private final CompletionChannel channel;
        private final MemoryRegion region;
        private final int sizeBytes;
        private final int warmUp;
        private final int total;
        private final RoundTrips roundTrips;
        private int sent;
        private int received;
        private int posted;
        private boolean sending;
        private long sentNanos;
        private long beganNanos;

        Exchange(
                Terms.Agreed agreed,
                RcQueuePair qp,
                CompletionQueue cq,
                CompletionChannel channel,
                MemoryRegion region) {
            this.sizeBytes = agreed.sizeBytes();
            this.warmUp = agreed.warmUp();
            this.total = Math.addExact(agreed.warmUp(), agreed.iterations());
            this.roundTrips = new RoundTrips(agreed.iterations());
            this.qp = qp;
            this.cq = cq;
            this.channel = channel;
            this.region = region;
        }

        void run(boolean first) throws VerbsException {
            refill();
            if (events) {
                cq.arm(false);
            }
            beganNanos = System.nanoTime();
            if (first) {
                send();
            }
            while (received < total || sent < total || sending) {
                take(first);
                // A side answers what it has received; the first one is a message ahead.
                if (!sending && sent < total && sent < received + (first ? 1 : 0)) {
                    send();
                }
            }
            report((System.nanoTime() - beganNanos) / 1e9);
        }

        private void take(boolean first) throws VerbsException {
            int count = cq.poll(completions);
            for (int i = 0; i < count; i++) {
                if (completions[i].status() != VerbsStatus.SUCCESS) {
                    throw new VerbsException(completions[i].status(), completions[i].explain());
                }
                if (completions[i].opcode() == WorkCompletion.Opcode.RECV) {
                    received++;
                    posted--;
                    arrived(first);
                } else {
                    sending = false;
                }
            }
            if (count > 0) {
                waiting.reset();
                if (posted <= depth / 2) {
                    refill();
                }
            } else if (waiting.idle()) {
                sleep();
            }
        }

        /**
         * The first side times from its message to the answer, the other from its answer to the
         * next message.
         */
        private void arrived(boolean first) {
            long nowNanos = System.nanoTime();
            boolean answer = first || received > 1;
            if (received > warmUp && answer) {
                roundTrips.add(nowNanos - sentNanos);
            }
            if (received == warmUp) {
                beganNanos = nowNanos;
            }
        }

        /** The queue has been armed since the last event, so what came since then wakes us. */
        private void sleep() throws VerbsException {
            if (channel.await(PATIENCE).isEmpty()) {
                throw new VerbsException(VerbsStatus.ETIMEDOUT, "no completion event");
            }
            channel.acknowledge(cq, 1);
            cq.arm(false);
            waiting.reset();
        }

        private void send() throws VerbsException {
            sentNanos = System.nanoTime();
            check(qp.sends()
                    .start()
                    .send(sent, SendFlags.SIGNALLED)
                    .sge(region.lkey(), region.address(), sizeBytes)
                    .post());
            sent++;
            sending = true;
        }

        private void refill() throws VerbsException {
            for (; posted < depth; posted++) {
                check(qp.receives()
                        .start()
                        .receive(posted)
                        .sge(region.lkey(), region.address(), sizeBytes)
                        .post());
            }
        }

        private void check(VerbsStatus status) throws VerbsException {
            if (status != VerbsStatus.SUCCESS) {
                throw new VerbsException(status, "post");
            }
        }

        private void report(double seconds) {
            int iterations = total - warmUp;
            long bytes = 2L * sizeBytes * iterations;
            System.out.printf(
                    Locale.ROOT,
                    "%d bytes in %.2f seconds = %.2f Mbit/sec%n",
                    bytes,
                    seconds,
                    bytes * 8 / seconds / 1e6);
            System.out.printf(
                    Locale.ROOT,
                    "%d iters in %.2f seconds = %.2f usec/iter%n",
                    iterations,
                    seconds,
                    seconds * 1e6 / iterations);
            System.out.println(roundTrips.text());
        }
    }
}
