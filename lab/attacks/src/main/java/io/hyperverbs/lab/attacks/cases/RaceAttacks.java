package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.RawCq;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawPair;
import io.hyperverbs.lab.attacks.raw.RawRegion;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** What changes while the HCA is at it: entries, payload, keys, attributes. */
public final class RaceAttacks {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int WRITE = SendWqeLayout.OPCODE_RDMA_WRITE;
    private static final int LARGE = 1 << 20;
    private static final int PIECE = 64 << 10;
    private static final int REWRITES = 100;
    private static final int DEREGISTRATIONS = 300;
    private static final int BURSTS = 40;

    private RaceAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                of(
                        "queues.rewritten-under-way",
                        "A3",
                        "overwrites a request of 1 MiB once its first byte has landed",
                        "rxe keeps the progress of a request in the mapped ring",
                        "done as it was read, every byte",
                        RaceAttacks::rewrittenUnderWay),
                of(
                        "queues.torn",
                        "A11",
                        "publishes and rings first, and writes the entry then",
                        "the memory model",
                        "judged as it was read; the requests of others go on",
                        RaceAttacks::torn),
                of(
                        "queues.payload-rewritten",
                        "A17",
                        "rewrites the payload while it is being sent",
                        "semantics of RDMA",
                        "SUCCESS; the receiver has some of both",
                        RaceAttacks::payloadRewritten),
                of(
                        "keys.after-deregistration",
                        "B5 B13",
                        "posts " + DEREGISTRATIONS
                                + " x 8 writes of 64 KiB, deregisters their target meanwhile and writes once more",
                        "google/rdma-unit-test RecvOnDeregisteredRegion, rxe check_rkey 2026",
                        "no byte lands once deregistration has returned",
                        RaceAttacks::afterDeregistration),
                of(
                        "queues.modified-meanwhile",
                        "D10",
                        "changes state and rights at random while requests are under way",
                        "rxe MAX_DEST_RD_ATOMIC, 2026",
                        "SUCCESS, or refused by the rights of that moment",
                        RaceAttacks::modifiedMeanwhile));
    }

    private static IsolationCase of(
            String name, String rows, String does, String anchor, String expected, IsolationCase.Attack attack) {
        return new IsolationCase(name, rows, does, anchor, "HCA", expected, attack);
    }

    private static String rewrittenUnderWay(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        RawRegion from = context.device().region(pair.pd(), LARGE, RawPair.ALL);
        RawRegion to = context.device().region(pair.pd(), LARGE, RawPair.ALL);
        SplittableRandom dice = context.dice();
        for (int round = 0; round < REWRITES; round++) {
            byte value = (byte) (round + 1);
            fill(from, value);
            fill(to, (byte) 0);
            long slot = pair.fill(WRITE, from.lkey(), from.address(), LARGE, to.address(), to.rkey());
            pair.qp().publish();
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (to.memory().get(ValueLayout.JAVA_BYTE, 0) == 0) {
                Breach.unless(System.nanoTime() - end < 0, "a write does not begin");
                Thread.onSpinWait();
            }
            QueueAttacks.scribble(pair.qp().memory(), slot, pair.qp().strideBytes(), dice);
            VerbsStatus status = pair.outcome();
            Breach.unless(status == VerbsStatus.SUCCESS, "a write rewritten under way: " + status);
            all(to, value, value, "after a write rewritten under way");
        }
        return REWRITES + " x SUCCESS, every byte as posted";
    }

    private static String torn(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        long torn = 0;
        long refused = 0;
        long end = System.nanoTime() + context.duration().toNanos();
        for (; System.nanoTime() - end < 0; torn++) {
            long slot = pair.fillWrite();
            MemorySegment entry = pair.qp().memory().asSlice(slot, pair.qp().strideBytes());
            long[] words = entry.toArray(ValueLayout.JAVA_LONG_UNALIGNED);
            MemorySegment _ = entry.fill((byte) 0);
            pair.qp().publish();
            for (int i = 0; i < words.length; i++) {
                entry.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, words[i]);
            }
            long honest = pair.post();
            RawCq.Entry seen;
            do {
                seen = Facts.next(pair.cq(), "a request behind a torn one");
            } while (seen.status() == VerbsStatus.SUCCESS && seen.wrId() != honest);
            if (seen.status() != VerbsStatus.SUCCESS) {
                refused++;
                pair.reconnect();
            }
        }
        Facts.stillWorks(pair, "torn requests");
        return torn + " torn, " + refused + " of them refused";
    }

    private static String payloadRewritten(AttackContext context) throws Exception {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        RawRegion from = context.device().region(pair.pd(), LARGE, RawPair.ALL);
        RawRegion to = context.device().region(pair.pd(), LARGE, RawPair.ALL);
        fill(from, (byte) 1);
        int sent = 0;
        try (Repeating writer = Repeating.start(round -> {
            fill(from, (byte) (1 + (round & 1)));
        })) {
            long end = System.nanoTime() + context.duration().toNanos();
            for (; System.nanoTime() - end < 0; sent++) {
                long _ = pair.post(WRITE, from.lkey(), from.address(), LARGE, to.address(), to.rkey());
                VerbsStatus status = pair.outcome();
                Breach.unless(status == VerbsStatus.SUCCESS, "a write of changing payload: " + status);
                all(to, (byte) 1, (byte) 2, "that nobody sent");
            }
            Breach.unless(writer.rounds() > 0, "the payload was not rewritten");
        }
        return sent + " x SUCCESS, bytes of both payloads alone";
    }

    // UC, as RC would end with the first key that is gone.
    private static String afterDeregistration(AttackContext context) throws VerbsException, Breach {
        RawDevice device = context.device();
        RawPair pair = new RawPair(device, QpType.UC);
        RawRegion from = device.region(pair.pd(), PIECE, RawPair.ALL);
        MemorySegment memory = device.ram().allocate(PIECE, 4096);
        fill(from, (byte) 1);
        int landed = 0;
        for (int round = 0; round < DEREGISTRATIONS; round++) {
            RawRegion to = device.region(pair.pd(), memory, RawPair.ALL);
            MemorySegment _ = memory.fill((byte) 0);
            for (int i = 0; i < 8; i++) {
                long _ = pair.post(WRITE, from.lkey(), from.address(), PIECE, to.address(), to.rkey());
            }
            VerbsStatus gone = device.status(new ControlRequest.Destroy(ObjectKind.REGION, to.handle()));
            Breach.unless(gone == VerbsStatus.SUCCESS, "deregistration: " + gone);
            landed += memory.get(ValueLayout.JAVA_BYTE, 0) == 0 ? 0 : 1;
            MemorySegment _ = memory.fill((byte) 2);
            // On one core all eight may have landed before; this one has no target for certain.
            long _ = pair.post(WRITE, from.lkey(), from.address(), PIECE, to.address(), to.rkey());
            for (int i = 0; i < 9; i++) {
                VerbsStatus status = pair.outcome();
                Breach.unless(status == VerbsStatus.SUCCESS, "UC told of a key that is gone: " + status);
            }
            all(to, (byte) 2, (byte) 2, "after deregistration had returned");
        }
        device.ram().free(memory);
        return DEREGISTRATIONS + " deregistrations, " + landed + " amid writes; nothing landed then";
    }

    private static String modifiedMeanwhile(AttackContext context) throws Exception {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        RawDevice device = context.device();
        SplittableRandom dice = context.dice();
        Facts facts = new Facts();
        Set<VerbsStatus> allowed =
                EnumSet.of(VerbsStatus.SUCCESS, VerbsStatus.REM_INV_REQ_ERR, VerbsStatus.WR_FLUSH_ERR);
        for (int burst = 0; burst < BURSTS; burst++) {
            try (Repeating _ = Repeating.start(_ -> modify(device, pair, dice))) {
                for (int i = 0; i < 50; i++) {
                    pair.write();
                    RawCq.Entry entry = Facts.next(pair.cq(), "a request while attributes change");
                    facts.count(entry.status(), allowed, "a request while attributes change");
                    if (entry.status() != VerbsStatus.SUCCESS) {
                        break;
                    }
                }
            }
            pair.reconnect();
        }
        Facts.stillWorks(pair, "changes of attributes");
        return facts.toString();
    }

    private static void modify(RawDevice device, RawPair pair, SplittableRandom dice) {
        long qp = pair.qp().handle();
        ControlRequest change = switch (dice.nextInt(6)) {
            case 0 -> new ControlRequest.ModifyQp(qp, QpAttributes.to(QpState.SQD));
            case 1, 2 -> new ControlRequest.ModifyQp(qp, QpAttributes.to(QpState.RTS));
            case 3 -> new ControlRequest.ModifyQp(qp, QpAttributes.to(QpState.RTR));
            case 4 -> rights(pair, EnumSet.of(Access.REMOTE_READ));
            default -> rights(pair, EnumSet.allOf(Access.class));
        };
        VerbsStatus _ = device.status(change);
    }

    private static ControlRequest rights(RawPair pair, Set<Access> rights) {
        return new ControlRequest.ModifyQp(
                pair.peer().handle(),
                QpAttributes.none().with(io.hyperverbs.verbs.QpAttribute.ACCESS_FLAGS, Access.mask(rights)));
    }

    private static void fill(RawRegion region, byte value) {
        MemorySegment _ = region.memory().fill(value);
    }

    private static void all(RawRegion region, byte one, byte other, String what) throws Breach {
        for (byte value : region.memory().toArray(ValueLayout.JAVA_BYTE)) {
            if (value != one && value != other) {
                throw new Breach("a byte " + value + " " + what);
            }
        }
    }
}
