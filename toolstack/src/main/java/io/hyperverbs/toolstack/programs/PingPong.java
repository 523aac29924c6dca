package io.hyperverbs.toolstack.programs;

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
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends a message to and fro over a reliable connection and prints what {@code ibv_rc_pingpong}
 * prints. Without a peer's name it is the server and answers whoever calls.
 */
public final class PingPong {
    private static final String USAGE =
            """
            usage: pingpong [-s BYTES] [-n ITERATIONS] [-r DEPTH] [-e] [-c CLIENTS] [PEER]
              -s, --size      bytes of each message (4096)
              -n, --iters     round trips (1000)
              -r, --rx-depth  receives posted (500)
              -e, --events    sleep on completion events instead of polling
              -c, --clients   as server: answer so many clients, one after another (1)
              PEER            domain to call; without it wait to be called
            """;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE);

    private final Domain domain;
    private final int sizeBytes;
    private final int iterations;
    private final int depth;
    private final boolean events;
    private final WorkCompletion[] completions = new WorkCompletion[16];
    private final WaitingPolicy waiting;

    private PingPong(Domain domain, int sizeBytes, int iterations, int depth, boolean events) {
        this.domain = domain;
        this.sizeBytes = sizeBytes;
        this.iterations = iterations;
        this.depth = depth;
        this.events = events;
        this.waiting = events ? WaitingPolicy.hybrid() : WaitingPolicy.yielding();
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
    }

    /** See {@code --help}. */
    public static void main(String[] args) throws VerbsException, InterruptedException {
        Arguments given = new Arguments(args);
        if (given.flag("-h", "--help")) {
            System.out.print(USAGE);
            return;
        }
        Domain domain = Domain.current();
        PingPong pingPong =
                new PingPong(
                        domain,
                        given.number("-s", "--size", 4096, 1),
                        given.number("-n", "--iters", 1000, 1),
                        given.number("-r", "--rx-depth", 500, 2),
                        given.flag("-e", "--events"));
        int clients = given.number("-c", "--clients", 1, 1);
        String peer = given.word();
        if (!peer.isEmpty()) {
            pingPong.connectAndRun(peer);
            return;
        }
        Rendezvous rendezvous = new Rendezvous(domain);
        for (int i = 0; i < clients; i++) {
            pingPong.connectAndRun(rendezvous.nextCaller());
        }
    }

    private void connectAndRun(String peerName) throws VerbsException {
        MemorySegment buffer = domain.memory().allocate(sizeBytes, 4096);
        try (Context context = domain.devices().getFirst().open();
                ProtectionDomain pd = context.allocatePd();
                MemoryRegion region = pd.register(buffer, RIGHTS);
                CompletionChannel channel = context.createChannel();
                CompletionQueue cq = context.createCq(depth + 1, events ? channel : null);
                RcQueuePair qp = pd.createRc(QpLimits.of(1, depth), cq, cq)) {
            int psn = ThreadLocalRandom.current().nextInt(1 << 24);
            Endpoint own = qp.endpoint(psn, region);
            String offer = Rendezvous.key(peerName);
            domain.store().write(offer, own.format());
            print("local", own);
            Endpoint peer =
                    Endpoint.parse(
                            domain.store()
                                    .await(peerName, Rendezvous.key(domain.name()), PATIENCE));
            print("remote", peer);
            qp.connect(peer, psn, RIGHTS);
            // Who sends before the peer's queue pair is up waits for a transport timeout.
            domain.store().write(offer + "/ready", "1");
            domain.store().await(peerName, Rendezvous.key(domain.name()) + "/ready", PATIENCE);
            new Exchange(qp, cq, channel, region).run(domain.name().compareTo(peerName) < 0);
            domain.store().remove(offer + "/ready");
            domain.store().remove(offer);
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
        private int sent;
        private int received;
        private int posted;
        private boolean sending;

        Exchange(RcQueuePair qp, CompletionQueue cq, CompletionChannel channel, MemoryRegion region)
                throws VerbsException {
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
            long beginNanos = System.nanoTime();
            if (first) {
                send();
            }
            while (received < iterations || sent < iterations || sending) {
                take();
                // A side answers what it has received; the first one is a message ahead.
                if (!sending && sent < iterations && sent < received + (first ? 1 : 0)) {
                    send();
                }
            }
            report((System.nanoTime() - beginNanos) / 1e9);
        }

        private void take() throws VerbsException {
            int count = cq.poll(completions);
            for (int i = 0; i < count; i++) {
                if (completions[i].status() != VerbsStatus.SUCCESS) {
                    throw new VerbsException(completions[i].status(), completions[i].explain());
                }
                if (completions[i].opcode() == WorkCompletion.Opcode.RECV) {
                    received++;
                    posted--;
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
            check(
                    qp.sends()
                            .start()
                            .send(sent, SendFlags.SIGNALLED)
                            .sge(region.lkey(), region.address(), sizeBytes)
                            .post());
            sent++;
            sending = true;
        }

        private void refill() throws VerbsException {
            for (; posted < depth; posted++) {
                check(
                        qp.receives()
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
        }
    }
}
