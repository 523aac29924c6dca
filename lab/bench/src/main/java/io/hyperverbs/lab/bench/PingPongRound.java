package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.WorkCompletion;

/**
 * Sends to and fro, one message in flight. The active side times whole round trips and marks its
 * last message with immediate data, so that the passive side knows when to end. Sends are signalled
 * once in a while only, as in ping-pongs of the field. Payload is not touched.
 */
final class PingPongRound {
    private static final int SIGNAL_EVERY = BenchLink.SEND_DEPTH / 2;
    private static final int LAST = 1;
    private static final int END = 2;

    private final BenchLink link;
    private final BenchRound command;
    private final SendPoster sends;
    private final ReceivePoster receives;
    private final Poll poll = new Poll();

    PingPongRound(BenchLink link, BenchRound command) {
        this.link = link;
        this.command = command;
        this.sends = link.qp.sends();
        this.receives = link.qp.receives();
    }

    /** Fills the receive queue of a new link; each round leaves it as full as it found it. */
    static void fill(BenchLink link) throws BenchFailure {
        ReceivePoster receives = link.qp.receives().start();
        for (int i = 0; i < BenchLink.RECEIVE_DEPTH; i++) {
            receives.receive(i).sge(link.region.lkey(), link.landingAddress(), link.halfBytes);
        }
        Poll.check(receives.post());
    }

    /** Times round trips; returns how many samples it wrote into {@code nanos}. */
    int runActive(long[] nanos) throws BenchFailure {
        long warmNanos = System.nanoTime() + command.warmUpNanos();
        for (int i = 0; i < command.warmUp() && System.nanoTime() - warmNanos < 0; i++) {
            roundTrip(false);
        }
        long endNanos = System.nanoTime() + command.millis() * 1_000_000L;
        int count = 0;
        boolean last = false;
        while (!last) {
            long beginNanos = System.nanoTime();
            boolean late = beginNanos - endNanos > 0 && count + 1 >= BenchRound.LEAST_ITERATIONS;
            last = late || count + 1 >= command.iterations();
            send(last);
            poll.next(link.receiveCq);
            nanos[count++] = System.nanoTime() - beginNanos;
            receive();
            drain();
        }
        return count;
    }

    /** Answers until the message marked as the last one. */
    void runPassive() throws BenchFailure {
        runPassive(poll.next(link.receiveCq));
    }

    /** The same, with the first message there. */
    void runPassive(WorkCompletion first) throws BenchFailure {
        boolean last = first.hasImmediate();
        answer();
        while (!last) {
            last = poll.next(link.receiveCq).hasImmediate();
            answer();
        }
    }

    private void answer() throws BenchFailure {
        send(false);
        receive();
        drain();
    }

    /** Says that there are no more rounds. */
    static void end(BenchLink link) throws BenchFailure {
        link.sends++;
        SendPoster sends = link.qp.sends();
        sends.start();
        sends.sendWithImmediate(link.sends, SendFlags.SIGNALLED, END)
                .sge(link.region.lkey(), link.region.address(), Long.BYTES);
        Poll.check(sends.post());
        WorkCompletion _ = new Poll().next(link.sendCq);
    }

    /** Whether a message says that. */
    static boolean isEnd(WorkCompletion completion) {
        return completion.hasImmediate() && completion.immediate() == END;
    }

    private void roundTrip(boolean last) throws BenchFailure {
        send(last);
        poll.next(link.receiveCq);
        receive();
        drain();
    }

    private void send(boolean last) throws BenchFailure {
        int sent = ++link.sends;
        int flags = sent % SIGNAL_EVERY == 0 ? SendFlags.SIGNALLED : SendFlags.NONE;
        sends.start();
        (last ? sends.sendWithImmediate(sent, flags, LAST) : sends.send(sent, flags))
                .sge(link.region.lkey(), link.region.address(), command.sizeBytes());
        Poll.check(sends.post());
    }

    private void receive() throws BenchFailure {
        Poll.check(receives.start()
                .receive(0)
                .sge(link.region.lkey(), link.landingAddress(), link.halfBytes)
                .post());
    }

    private void drain() throws BenchFailure {
        if (link.sends % SIGNAL_EVERY == 0) {
            poll.next(link.sendCq);
        }
    }
}
