package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * RDMA writes, reads or fetch-and-adds, one in flight, each timed from post to completion. The peer
 * takes no part. What arrives is checked: fetch-and-add in each operation, the others at the end.
 */
final class OneSidedRound {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final BenchLink link;
    private final BenchRound command;
    private final SendPoster poster;
    private final MemorySegment memory;
    private final Poll poll = new Poll();

    OneSidedRound(BenchLink link, BenchRound command) {
        this.link = link;
        this.command = command;
        this.poster = link.qp.sends();
        this.memory = link.region.buffer();
    }

    /** Times the operations; returns how many samples it wrote into {@code nanos}. */
    int run(long[] nanos) throws BenchFailure {
        long warmNanos = System.nanoTime() + command.warmUpNanos();
        for (int i = 0; i < command.warmUp() && System.nanoTime() - warmNanos < 0; i++) {
            once();
        }
        long endNanos = System.nanoTime() + command.millis() * 1_000_000L;
        int count = 0;
        while (count < command.iterations()) {
            long beginNanos = System.nanoTime();
            once();
            long nowNanos = System.nanoTime();
            nanos[count++] = nowNanos - beginNanos;
            if (nowNanos - endNanos > 0 && count >= BenchRound.LEAST_ITERATIONS) {
                break;
            }
        }
        verify();
        return count;
    }

    private void once() throws BenchFailure {
        post(command.verb());
        poll.next(link.sendCq);
    }

    private void post(BenchVerb verb) throws BenchFailure {
        int size = command.sizeBytes();
        int rkey = link.peer.rkey();
        poster.start();
        switch (verb) {
            case WRITE ->
                poster.rdmaWrite(1, SendFlags.SIGNALLED, link.peerLandingAddress(), rkey)
                        .sge(link.region.lkey(), link.region.address(), size);
            case READ ->
                poster.rdmaRead(1, SendFlags.SIGNALLED, link.peerLandingAddress(), rkey)
                        .sge(link.region.lkey(), link.landingAddress(), size);
            case FETCH_ADD ->
                poster.fetchAndAdd(1, SendFlags.SIGNALLED, link.peerLandingAddress(), rkey, 1)
                        .sge(link.region.lkey(), link.landingAddress(), Long.BYTES);
            case SEND -> throw new BenchFailure("send is not one-sided");
        }
        Poll.check(poster.post());
    }

    /** What went out has to come back: by a write and a read, or by two additions. */
    private void verify() throws BenchFailure {
        if (command.verb() == BenchVerb.FETCH_ADD) {
            once();
            long before = memory.get(LONG, link.halfBytes);
            once();
            expect(before + 1, memory.get(LONG, link.halfBytes));
            return;
        }
        int last = Math.max(0, command.sizeBytes() - Long.BYTES);
        if (command.sizeBytes() < Long.BYTES) {
            return;
        }
        long mark = System.nanoTime();
        memory.set(LONG, last, mark);
        post(BenchVerb.WRITE);
        poll.next(link.sendCq);
        memory.set(LONG, link.halfBytes + (long) last, 0);
        post(BenchVerb.READ);
        poll.next(link.sendCq);
        expect(mark, memory.get(LONG, link.halfBytes + (long) last));
    }

    private void expect(long sent, long found) throws BenchFailure {
        if (sent != found) {
            throw new BenchFailure(String.format(
                    "%s of %d bytes on %s: 0x%x instead of 0x%x came back",
                    command.verb().word(), command.sizeBytes(), command.path(), found, sent));
        }
    }
}
