package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.RawCq;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawPair;
import io.hyperverbs.lab.attacks.raw.RawQp;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Doorbell pages and completion queues. */
public final class DoorbellAttacks {
    private DoorbellAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                new IsolationCase(
                        "doorbells.every-slot",
                        "C1 C2",
                        "rings all 4096 slots of its page 200 times",
                        "hardware ties a QP to its UAR page; Liu 2006 §4.2",
                        "all domains",
                        "dropped and counted; victims' queue pairs untouched",
                        DoorbellAttacks::everySlot),
                new IsolationCase(
                        "doorbells.page-overwritten",
                        "C4",
                        "overwrites all of its page, magic and version too",
                        "CVE-2018-20191 (QEMU pvrdma, no UAR read handler)",
                        "HCA",
                        "plain memory: its own doorbells still work",
                        DoorbellAttacks::pageOverwritten),
                new IsolationCase(
                        "doorbells.page-kept",
                        "C1 C4",
                        "keeps the page of a context that is gone and goes on writing it",
                        "rxe_mmap against DESTROY_CQ, 2026",
                        "HCA",
                        "no page of a later context",
                        DoorbellAttacks::pageKept),
                new IsolationCase(
                        "completions.overrun",
                        "C5",
                        "never polls",
                        "ibv_poll_cq, google/rdma-unit-test cq_overrun_test",
                        "HCA",
                        "its queue pair in ERR, its other ones go on",
                        DoorbellAttacks::overrun),
                new IsolationCase(
                        "completions.consumer-forged",
                        "C6",
                        "claims to have polled completions that are not there yet",
                        "Xen ring index checks, mirrored",
                        "HCA",
                        "its own completions at most",
                        DoorbellAttacks::consumerForged),
                new IsolationCase(
                        "completions.faked",
                        "C7",
                        "writes completions itself",
                        "the device never reads its completion queues",
                        "HCA",
                        "real ones are written all the same",
                        DoorbellAttacks::faked));
    }

    private static String everySlot(AttackContext attack) throws VerbsException, Breach {
        RawPair pair = new RawPair(attack.device(), QpType.RC);
        RawPair other = new RawPair(attack.anotherDevice(), QpType.RC);
        long rings = 0;
        for (int round = 0; round < 200; round++) {
            for (int slot = 0; slot < UarLayout.SLOTS; slot++, rings++) {
                UarLayout.ring(pair.device().uar(), 0, slot);
            }
            pair.device().wake();
        }
        Facts.stillWorks(other, "rings of every slot");
        Facts.stillWorks(pair, "rings of every slot");
        return rings + " rings, nothing moved";
    }

    private static String pageOverwritten(AttackContext attack) throws VerbsException, Breach {
        RawPair pair = new RawPair(attack.device(), QpType.RC);
        for (int round = 0; round < 100; round++) {
            QueueAttacks.scribble(pair.device().uar(), 0, UarLayout.SIZE_BYTES, attack.dice());
            pair.device().wake();
        }
        Facts.stillWorks(pair, "an overwritten page");
        return "100 times all of it";
    }

    private static String pageKept(AttackContext attack) throws VerbsException, Breach {
        List<RawDevice> gone = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            RawDevice device = attack.anotherDevice();
            device.expect(new ControlRequest.Destroy(ObjectKind.CONTEXT, device.context()), ControlReply.Done.class);
            gone.add(device);
        }
        RawDevice later = attack.anotherDevice();
        byte[] before = later.uar().toArray(ValueLayout.JAVA_BYTE);
        for (RawDevice device : gone) {
            QueueAttacks.scribble(device.uar(), 0, UarLayout.SIZE_BYTES, attack.dice());
        }
        Breach.unless(
                Arrays.equals(before, later.uar().toArray(ValueLayout.JAVA_BYTE)),
                "the page of a context that is gone is that of a later one");
        Facts.stillWorks(new RawPair(later, QpType.RC), "writing pages of contexts that are gone");
        return gone.size() + " pages kept, none given out again";
    }

    private static String overrun(AttackContext attack) throws VerbsException, Breach {
        RawPair other = new RawPair(attack.device(), QpType.RC);
        RawCq small = attack.device().cq(4);
        long pd = attack.device().pd();
        RawQp qp = RawQp.create(attack.device(), pd, small, QpType.UC);
        qp.connect(qp.endpoint(1));
        for (int i = 0; i < 12; i++) {
            long _ = qp.fill(i, SendWqeLayout.OPCODE_RDMA_WRITE, SendFlags.SIGNALLED, 0, 0, 0);
            qp.publish();
        }
        Facts.awaitErr(qp, "12 completions in a queue of 4");
        int there = small.drain();
        Breach.unless(there == 4, there + " completions in a queue of 4");
        Facts.stillWorks(other, "an overrun");
        return "4 completions, then ERR";
    }

    private static String consumerForged(AttackContext attack) throws VerbsException, Breach {
        RawPair pair = new RawPair(attack.device(), QpType.RC);
        int[] claims = {1, 64, 65, 1 << 16, Integer.MAX_VALUE, Integer.MIN_VALUE, -1};
        for (int claim : claims) {
            CqHeaderLayout.consumerIndexRelease(pair.cq().memory(), 0, claim);
            for (int i = 0; i < 8; i++) {
                pair.write();
                Breach.unless(
                        pair.outcome() == VerbsStatus.SUCCESS, "an honest write failed after a claim of " + claim);
            }
        }
        Facts.stillWorks(new RawPair(attack.anotherDevice(), QpType.RC), "forged indexes");
        return claims.length + " claims, writes complete";
    }

    private static String faked(AttackContext attack) throws VerbsException, Breach {
        RawPair pair = new RawPair(attack.device(), QpType.RC);
        for (int round = 0; round < 100; round++) {
            QueueAttacks.scribble(
                    pair.cq().memory(),
                    CqHeaderLayout.SIZE_BYTES,
                    pair.cq().memory().byteSize() - CqHeaderLayout.SIZE_BYTES,
                    attack.dice());
            pair.write();
            // What is random does not show the right sequence; what comes is the HCA's.
            Breach.unless(pair.outcome() == VerbsStatus.SUCCESS, "no real completion among faked ones");
        }
        Breach.unless(pair.qp().state() == QpState.RTS, "the queue pair left RTS");
        return "100 real completions among faked ones";
    }
}
