package io.hyperverbs.tests.fuzz;

import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.UarLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Work queue entries, decoded and executed: the input is a program of a hostile guest that writes
 * its rings, its doorbell page and its completion queue as it likes. See {@link WqeScene} for who
 * is there and what must stay as it was.
 */
final class WqeTarget implements FuzzTarget {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int MOST_STEPS = 64;

    @Override
    public void play(Input input) {
        WqeScene scene = new WqeScene();
        for (int step = 0; step < MOST_STEPS && input.hasMore(); step++) {
            step(scene, input);
        }
        scene.judge();
    }

    private static void step(WqeScene scene, Input input) {
        int what = input.below(11);
        FuzzQp qp = scene.attackers.get(input.below(scene.attackers.size()));
        switch (what) {
            case 0 -> {
                send(scene, qp, input, qp.sendSlot(scene.sent(qp)));
                publish(scene, qp, scene.sent(qp) + 1);
                qp.ring();
            }
            case 1 -> send(scene, qp, input, qp.sendSlot(input.nextByte()));
            case 2 -> publish(scene, qp, scene.sent(qp) + (byte) input.nextByte());
            case 3 -> publish(scene, qp, input.nextInt());
            case 4 -> UarLayout.ring(scene.device.memory, qp.context.page(), input.nextInt() & 0xfff);
            case 5 -> receive(scene, qp, input);
            case 6 -> raw(scene, qp.rings, qp.geometry.totalBytes(), input);
            case 7 -> raw(scene, scene.cq.ring(), CqHeaderLayout.SIZE_BYTES, input);
            case 8 -> raw(scene, qp.context.page(), UarLayout.SIZE_BYTES, input);
            case 9 -> scene.device.turn();
            case 10 -> scene.device.pass(1L << input.below(34));
            default -> throw new AssertionError(what);
        }
        if (what < 9) {
            scene.noteRings();
        }
    }

    private static void publish(WqeScene scene, FuzzQp qp, int producer) {
        scene.sent(qp, producer);
        QueueIndexes.sendProducerRelease(scene.device.memory, qp.rings, producer);
    }

    private static void send(WqeScene scene, FuzzQp qp, Input input, long wqe) {
        MemorySegment memory = scene.device.memory;
        SendWqeLayout.writeHead(memory, wqe, input.nextByte(), input.below(12), input.nextByte() & 0x8f);
        SendWqeLayout.writeRemote(memory, wqe, scene.address(input), scene.key(input));
        int form = input.below(8);
        if (form == 0) {
            SendWqeLayout.writeAtomic(memory, wqe, scene.address(input), input.nextLong());
        } else if (form == 1) {
            SendWqeLayout.writeDestination(memory, wqe, input.below(3), scene.number(input), scene.number(input));
        } else if (form == 2) {
            SendWqeLayout.writeAtomic(
                    memory, wqe, input.nextByte() | (long) scene.key(input) << 32, scene.length(input) & 0xffff_ffffL);
        }
        int segments = input.below(qp.geometry.sendStrideBytes() / 16 - 2);
        SendWqeLayout.writeSegmentCount(memory, wqe, input.below(8) == 0 ? input.nextInt() : segments);
        for (int i = 0; i < Math.min(segments, (qp.geometry.sendStrideBytes() - 48) / 16); i++) {
            SendWqeLayout.writeSegment(memory, wqe, i, scene.address(input), scene.length(input), scene.key(input));
        }
        if (form == 3) {
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, wqe + 28, scene.length(input));
        }
    }

    private static void receive(WqeScene scene, FuzzQp qp, Input input) {
        if (qp.geometry.receiveEntries() == 0) {
            return;
        }
        MemorySegment memory = scene.device.memory;
        int posted = scene.received(qp);
        long wqe = qp.receiveSlot(posted);
        ReceiveWqeLayout.writeHead(memory, wqe, input.nextByte());
        int segments = input.below(3);
        ReceiveWqeLayout.writeSegmentCount(memory, wqe, input.below(8) == 0 ? input.nextInt() : segments);
        for (int i = 0; i < segments; i++) {
            ReceiveWqeLayout.writeSegment(memory, wqe, i, scene.address(input), scene.length(input), scene.key(input));
        }
        int producer = input.below(8) == 0 ? input.nextInt() : posted + 1;
        scene.received(qp, producer);
        QueueIndexes.receiveProducerRelease(memory, qp.rings, producer);
    }

    /** Eight bytes anywhere in a range. */
    private static void raw(WqeScene scene, long start, long bytes, Input input) {
        long at = start + (input.nextInt() & 0xffff) % (bytes - 7);
        scene.device.memory.set(LONG, at, input.nextLong());
    }
}
