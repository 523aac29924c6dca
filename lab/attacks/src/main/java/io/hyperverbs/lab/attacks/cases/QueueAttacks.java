package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawPair;
import io.hyperverbs.lab.attacks.raw.RawQp;
import io.hyperverbs.lab.attacks.raw.RawRegion;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Work queues and rings in shared memory. */
public final class QueueAttacks {
    /** Two threads of one core may not meet at a request for a while: the attack goes on until they have. */
    private static final long LONGEST_RACE_NANOS = 10_000_000_000L;

    private static final String GROUP = "queues.";
    private static final long SEGMENT_COUNT = 10;
    private static final long INLINE_BYTES = 28;

    /** Behind head, remote address and one piece. */
    private static final long FIRST_UNUSED = SendWqeLayout.SGES_OFFSET + 16;

    private static final int PIECES = RawQp.LIMITS.sendSge();

    private QueueAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                of(
                        "too-many-pieces",
                        "A2",
                        "posts requests with 0 to 65535 pieces where " + PIECES + " are allowed",
                        "CVE-2018-20124 (QEMU pvrdma), rxe num_sge",
                        "LOC_QP_OP_ERR for each above the limit",
                        QueueAttacks::tooManyPieces),
                of(
                        "producer-jump",
                        "A4",
                        "moves the producer index further than the ring is long",
                        "Xen RING_REQUEST_PROD_OVERFLOW, Firecracker InvalidAvailIdx",
                        "nothing executed, QP in ERR",
                        QueueAttacks::producerJump),
                of(
                        "producer-backwards",
                        "A5",
                        "moves the producer index back behind what was accepted",
                        "CVE-2018-20216 (QEMU pvrdma, endless loop)",
                        "QP in ERR, the engine goes on",
                        QueueAttacks::producerBackwards),
                of(
                        "header-scribbled",
                        "A6",
                        "overwrites all of the rings' heads but the indexes",
                        "rxe trusts log2_elem_size and index_mask of the mapped queue",
                        "ignored: honest requests succeed",
                        QueueAttacks::headerScribbled),
                of(
                        "unknown-opcodes",
                        "A7",
                        "posts all 256 opcodes and all reserved flags",
                        "rxe next_opcode() < 0",
                        "LOC_QP_OP_ERR for what does not exist",
                        QueueAttacks::unknownOpcodes),
                of(
                        "inline-lengths",
                        "A8",
                        "claims inline payloads longer than allowed, than the entry, negative",
                        "CVE-2020-14374 (DPDK vhost crypto)",
                        "LOC_QP_OP_ERR",
                        QueueAttacks::inlineLengths),
                of(
                        "lengths-that-wrap",
                        "A9",
                        "posts pieces whose lengths add up beyond 2^31 and 2^32",
                        "rxe dmalen > 1<<31, siw FPDU length underflow",
                        "LOC_LEN_ERR",
                        QueueAttacks::lengthsThatWrap),
                of(
                        "early-doorbell",
                        "A12",
                        "posts and rings in RESET, INIT and RTR",
                        "IBA C10-96, google/rdma-unit-test PostSendReset",
                        "no state changes, nothing completes",
                        QueueAttacks::earlyDoorbell),
                of(
                        "overrun",
                        "A14",
                        "posts more than the ring holds and overwrites what was posted",
                        "google/rdma-unit-test OverflowSendWr",
                        "what was accepted is flushed, QP in ERR; nothing of it executed",
                        SendOverrun::run),
                of(
                        "links",
                        "A10",
                        "fills what is unused of entries with the addresses of entries",
                        "XSA-155, QEMU pvrdma endless loops",
                        "each entry served once, none followed",
                        QueueAttacks::links),
                of(
                        "flipper",
                        "A1",
                        "rewrites pieces, lengths, keys and opcodes while they are being read",
                        "XSA-155 / CVE-2015-8550, CVE-2020-14375, rxe get_srq_wqe",
                        "each request judged once: done, or refused by its check",
                        QueueAttacks::flipper),
                of(
                        "garbage",
                        "A18",
                        "fills rings, completion queues and doorbells with random bytes, at full" + " speed",
                        "rust-vmm's virtio-queue fuzzing",
                        "an honest device works afterwards",
                        QueueAttacks::garbage));
    }

    private static IsolationCase of(
            String name, String row, String does, String anchor, String expected, IsolationCase.Attack attack) {
        return new IsolationCase(GROUP + name, row, does, anchor, "HCA", expected, attack);
    }

    private static String tooManyPieces(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        Facts facts = new Facts();
        int[] counts = {0, 1, PIECES, PIECES + 1, PIECES + 2, 30, 31, 200, 255, 0x7fff, 0x8000, -1};
        for (int count : counts) {
            boolean allowed = count >= 0 && count <= PIECES;
            long slot = pair.qp().nextSlot();
            SendWqeLayout.writeHead(pair.qp().memory(), slot, 7, 0, SendFlags.SIGNALLED);
            pair.qp().memory().set(ValueLayout.JAVA_SHORT, slot + SEGMENT_COUNT, (short) count);
            pair.qp().publish();
            facts.count(pair.outcome(), allowed ? VerbsStatus.SUCCESS : VerbsStatus.LOC_QP_OP_ERR, count + " pieces");
            pair.reconnect();
        }
        return facts.toString();
    }

    private static String producerJump(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        int entries = RawQp.LIMITS.sendWr();
        int[] jumps = {entries + 1, 2 * entries, 1 << 16, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int jump : jumps) {
            pair.qp().publish(jump);
            Facts.awaitErr(pair.qp(), "a jump of " + jump);
            Breach.unless(pair.cq().drain() == 0, "requests of a jump of " + jump + " completed");
            pair.reconnect();
        }
        Facts.stillWorks(pair, "jumps");
        return jumps.length + " jumps, ERR each time";
    }

    private static String producerBackwards(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        for (int back : new int[] {1, 2, 3, 1000}) {
            for (int i = 0; i < 3; i++) {
                pair.write();
                Breach.unless(pair.outcome() == VerbsStatus.SUCCESS, "an honest write before failed");
            }
            pair.qp().publish(pair.qp().producer() - back);
            Facts.awaitErr(pair.qp(), back + " back");
            pair.reconnect();
        }
        Facts.stillWorks(pair, "indexes going back");
        return "4 indexes behind, ERR each time";
    }

    private static String headerScribbled(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        SplittableRandom dice = context.dice();
        Facts facts = new Facts();
        for (int round = 0; round < 200; round++) {
            scribble(pair.qp().memory(), 4, 60, dice);
            scribble(pair.qp().memory(), 68, 60, dice);
            scribble(pair.cq().memory(), 4, 60, dice);
            scribble(pair.cq().memory(), 80, 48, dice);
            pair.write();
            facts.count(pair.outcome(), VerbsStatus.SUCCESS, "a write beside a scribbled head");
        }
        return facts.toString();
    }

    private static String unknownOpcodes(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        Facts facts = new Facts();
        for (int opcode = SendWqeLayout.OPCODE_SEND_WITH_INV + 1; opcode < 256; opcode++) {
            facts.count(posted(pair, opcode, 0), VerbsStatus.LOC_QP_OP_ERR, "opcode " + opcode);
        }
        for (int flag = 1 << 4; flag < 256; flag <<= 1) {
            facts.count(posted(pair, 0, flag), VerbsStatus.LOC_QP_OP_ERR, "flag " + flag);
        }
        return facts.toString();
    }

    private static VerbsStatus posted(RawPair pair, int opcode, int flags) throws VerbsException {
        RawRegion local = pair.local();
        long slot = pair.qp().fill(1, opcode, SendFlags.SIGNALLED | flags, local.lkey(), local.address(), 64);
        SendWqeLayout.writeRemote(
                pair.qp().memory(), slot, pair.remote().address(), pair.remote().rkey());
        pair.qp().publish();
        VerbsStatus status = pair.outcome();
        pair.reconnect();
        return status;
    }

    private static String inlineLengths(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        Facts facts = new Facts();
        int max = RawQp.LIMITS.inlineBytes();
        int[] lengths = {0, 1, max, max + 1, 480, 481, 4096, 1 << 20, Integer.MAX_VALUE, -1, -480};
        for (int length : lengths) {
            facts.count(
                    inlined(pair, SendWqeLayout.OPCODE_RDMA_WRITE, length),
                    length >= 0 && length <= max ? VerbsStatus.SUCCESS : VerbsStatus.LOC_QP_OP_ERR,
                    length + " bytes inline");
        }
        facts.count(
                inlined(pair, SendWqeLayout.OPCODE_RDMA_READ, 8), VerbsStatus.LOC_QP_OP_ERR, "a read with inline data");
        return facts.toString();
    }

    private static VerbsStatus inlined(RawPair pair, int opcode, int length) throws VerbsException {
        long slot = pair.qp().nextSlot();
        MemorySegment memory = pair.qp().memory();
        SendWqeLayout.writeHead(memory, slot, 1, opcode, SendFlags.SIGNALLED | SendFlags.INLINE);
        SendWqeLayout.writeRemote(
                memory, slot, pair.remote().address(), pair.remote().rkey());
        memory.set(ValueLayout.JAVA_INT, slot + INLINE_BYTES, length);
        pair.qp().publish();
        VerbsStatus status = pair.outcome();
        pair.reconnect();
        return status;
    }

    private static String lengthsThatWrap(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        Facts facts = new Facts();
        int[][] lists = {
            {-1},
            {Integer.MIN_VALUE, 1},
            {Integer.MIN_VALUE, Integer.MIN_VALUE},
            {-1, -1, -1, -1},
            {-64, 128},
            {Integer.MAX_VALUE, Integer.MAX_VALUE, 3},
        };
        for (int[] lengths : lists) {
            long slot = pair.qp().fill(1, 0, SendFlags.SIGNALLED, 0, 0, 0);
            MemorySegment memory = pair.qp().memory();
            SendWqeLayout.writeSegmentCount(memory, slot, lengths.length);
            for (int i = 0; i < lengths.length; i++) {
                SendWqeLayout.writeSegment(
                        memory,
                        slot,
                        i,
                        pair.local().address(),
                        lengths[i],
                        pair.local().lkey());
            }
            SendWqeLayout.writeRemote(
                    memory, slot, pair.remote().address(), pair.remote().rkey());
            pair.qp().publish();
            facts.count(pair.outcome(), VerbsStatus.LOC_LEN_ERR, Arrays.toString(lengths));
            pair.reconnect();
        }
        return facts.toString();
    }

    private static String earlyDoorbell(AttackContext context) throws VerbsException, Breach {
        RawDevice device = context.device();
        RawPair witness = new RawPair(context.anotherDevice(), QpType.RC);
        RawPair pair = new RawPair(device, QpType.RC);
        Endpoint peer = pair.peer().endpoint(1);
        for (QpState state : List.of(QpState.RESET, QpState.INIT, QpState.RTR)) {
            pair.qp().reset();
            if (state != QpState.RESET) {
                pair.qp().modify(QpAttributes.toInit(Set.of()));
            }
            if (state == QpState.RTR) {
                pair.qp().modify(QpAttributes.toRtr(peer));
            }
            for (int i = 0; i < 8; i++) {
                pair.write();
            }
            // Its completion comes after the doorbells above were taken.
            Facts.stillWorks(witness, "doorbells in " + state);
            Breach.unless(
                    pair.qp().state() == state,
                    "went from " + state + " to " + pair.qp().state());
            Breach.unless(pair.cq().drain() == 0, "requests completed in " + state);
        }
        return "8 doorbells each in RESET, INIT, RTR: nothing happened";
    }

    private static String links(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        int served = 0;
        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < RawQp.LIMITS.sendWr(); i++) {
                long slot = pair.fillWrite();
                MemorySegment memory = pair.qp().memory();
                for (long at = slot + FIRST_UNUSED; at < slot + pair.qp().strideBytes(); at += 8) {
                    memory.set(ValueLayout.JAVA_LONG, at, memory.address() + slot);
                }
                pair.qp().publish();
            }
            for (int i = 0; i < RawQp.LIMITS.sendWr(); i++, served++) {
                Breach.unless(pair.outcome() == VerbsStatus.SUCCESS, "a request among links failed");
            }
        }
        Facts.stillWorks(pair, "links");
        Breach.unless(pair.cq().drain() == 0, "a request was served more than once");
        return served + " requests, each served once";
    }

    private static String flipper(AttackContext context) throws Exception {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        Facts facts = new Facts();
        Set<VerbsStatus> allowed = EnumSet.of(VerbsStatus.SUCCESS, VerbsStatus.LOC_QP_OP_ERR, VerbsStatus.LOC_PROT_ERR);
        try (Flipper flipper = Flipper.start(pair.qp().memory(), context.dice())) {
            long end = System.nanoTime() + context.duration().toNanos();
            boolean met = false;
            while (System.nanoTime() - end < 0 || (!met && System.nanoTime() - end < LONGEST_RACE_NANOS)) {
                flipper.aim(pair.fillWrite());
                pair.qp().publish();
                VerbsStatus status = pair.outcome();
                flipper.aim(0);
                facts.count(status, allowed, "a request rewritten in flight");
                if (status != VerbsStatus.SUCCESS) {
                    met = true;
                    pair.reconnect();
                }
            }
        }
        Facts.stillWorks(pair, "the flipper");
        return facts.toString();
    }

    private static String garbage(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        SplittableRandom dice = context.dice();
        long rounds = 0;
        long end = System.nanoTime() + context.duration().toNanos();
        for (; System.nanoTime() - end < 0; rounds++) {
            for (MemorySegment memory : List.of(
                    pair.qp().memory(),
                    pair.peer().memory(),
                    pair.cq().memory(),
                    pair.device().uar())) {
                scribble(memory, 0, memory.byteSize(), dice);
            }
            pair.device().ring(pair.qp().slot());
            pair.device().wake();
            if (rounds % 64 == 63) {
                pair.reconnect();
            }
        }
        Facts.stillWorks(new RawPair(context.anotherDevice(), QpType.RC), "garbage");
        return rounds + " times all of it";
    }

    static void scribble(MemorySegment memory, long offset, long length, SplittableRandom dice) {
        byte[] bytes = new byte[(int) length];
        dice.nextBytes(bytes);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, bytes.length);
    }
}
