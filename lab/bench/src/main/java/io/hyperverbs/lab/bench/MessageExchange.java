package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.time.Duration;
import java.util.Locale;

/** The messages of a ping-pong over one connection. One thread. */
final class MessageExchange {
    /** What it goes over. */
    record Link(RcQueuePair qp, CompletionQueue cq, CompletionChannel channel) {}

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final WorkCompletion[] completions = new WorkCompletion[16];
    private final WaitingPolicy waiting;
    private final int depth;
    private final boolean events;
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

    MessageExchange(Terms.Agreed agreed, Link link, MemoryRegion region, int depth, boolean events) {
        this.sizeBytes = agreed.sizeBytes();
        this.warmUp = agreed.warmUp();
        this.total = Math.addExact(agreed.warmUp(), agreed.iterations());
        this.roundTrips = new RoundTrips(agreed.iterations());
        this.qp = link.qp();
        this.cq = link.cq();
        this.channel = link.channel();
        this.region = region;
        this.depth = depth;
        this.events = events;
        this.waiting = events ? WaitingPolicy.hybrid() : WaitingPolicy.yielding();
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
    }

    /**
     * Sends and receives all.
     *
     * @param first whether this side begins
     * @param peerEnds whether the peer's disconnect says that it has all: this side's last message then needs no ACK,
     *     which a wire may lose
     */
    void run(boolean first, boolean peerEnds) throws VerbsException {
        refill();
        if (events) {
            cq.arm(false);
        }
        beganNanos = System.nanoTime();
        if (first) {
            send();
        }
        while (received < total || sent < total || sending) {
            take(first, peerEnds);
            // A side answers what it has received; the first one is a message ahead.
            if (!sending && sent < total && sent < received + (first ? 1 : 0)) {
                send();
            }
        }
        report((System.nanoTime() - beganNanos) / 1e9);
    }

    private void take(boolean first, boolean peerEnds) throws VerbsException {
        int count = cq.poll(completions);
        for (int i = 0; i < count; i++) {
            boolean done = received == total && sent == total;
            if (completions[i].status() != VerbsStatus.SUCCESS && !(peerEnds && done)) {
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

    /** Posts receives until there are as many as there may be. */
    void refill() throws VerbsException {
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
                Locale.ROOT, "%d bytes in %.2f seconds = %.2f Mbit/sec%n", bytes, seconds, bytes * 8 / seconds / 1e6);
        System.out.printf(
                Locale.ROOT,
                "%d iters in %.2f seconds = %.2f usec/iter%n",
                iterations,
                seconds,
                seconds * 1e6 / iterations);
        System.out.println(roundTrips.text());
    }
}
