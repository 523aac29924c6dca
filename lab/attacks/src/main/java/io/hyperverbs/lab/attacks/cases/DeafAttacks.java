package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.MeasurePoint;
import io.hyperverbs.lab.attacks.raw.RawCq;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawPair;
import io.hyperverbs.lab.attacks.raw.RawQp;
import io.hyperverbs.lab.attacks.raw.RawRegion;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A guest that does not read what it is sent: no events, while it raises as many as it can, and no
 * answers, stopped in the middle of as many calls as it may make at a time.
 */
final class DeafAttacks {
    private static final int QUEUES = 48;
    private static final int ENTRIES = 256;
    private static final int CALLERS = 48;

    /** One for what piles up, the others for what verbs take meanwhile, each after a calm stretch. */
    private static final int STOPS = 25;

    /** Calls before the first look: what the backend keeps of every caller is there then. */
    private static final int WARM_CALLS = 2000;

    private static final Duration PILING = Duration.ofMillis(200);

    /** A call that its guest has slept through is late. */
    private static final Set<VerbsStatus> ANSWERED = EnumSet.of(VerbsStatus.SUCCESS, VerbsStatus.ETIMEDOUT);

    private final AttackContext attack;
    private final RawDevice device;
    private final StallableSink sink = new StallableSink();
    private final List<RawCq> queues = new ArrayList<>();
    private final List<RawQp> pairs = new ArrayList<>();
    private final RawRegion region;
    private final boolean[] busy = new boolean[QUEUES];
    private long raised;

    private DeafAttacks(AttackContext attack) throws VerbsException {
        this.attack = attack;
        this.device = attack.device();
        long pd = device.pd();
        region = device.region(pd, 4096, RawPair.ALL);
        for (int i = 0; i < QUEUES; i++) {
            RawCq cq = device.eventCq(ENTRIES);
            RawQp qp = RawQp.create(device, pd, cq, QpType.RC);
            qp.connect(qp.endpoint(1));
            queues.add(cq);
            pairs.add(qp);
        }
    }

    static IsolationCase stopped() {
        return new IsolationCase(
                        "channel.stopped-reader",
                        "E17 F3",
                        "reads no events while it raises them, and is stopped amid " + CALLERS + " calls",
                        "XSA-392 / CVE-2021-28714, CVE-2020-27174",
                        "device domain",
                        "heap grows less than 1 MiB; others as fast as before; goes on when it" + " reads",
                        attack -> new DeafAttacks(attack).run())
                .withMoments(IsolationCase.Timing.PERCENTILES);
    }

    private String run() throws VerbsException, Breach {
        attack.subscribe(sink);
        for (int i = 0; i < WARM_CALLS; i++) {
            VerbsStatus _ = query();
        }
        storm(PILING);
        int stops = MeasurePoint.isFirm(attack.duration()) ? STOPS : 1;
        for (int i = 0; i < stops; i++) {
            attack.point(MeasurePoint.CALM_AS_LONG);
            readsNothing();
            VerbsStatus status = query();
            Breach.unless(status == VerbsStatus.SUCCESS, "its own session afterwards: " + status);
        }
        attack.point(MeasurePoint.OVER);
        Facts.stillWorks(new RawPair(device, QpType.RC), "reading nothing");
        Breach.unless(sink.heard() > 0, "no event of " + raised + " was ever read");
        return raised
                + " events raised, "
                + sink.heard()
                + (sink.overflowed() ? " read in the end, some dropped" : " read in the end");
    }

    private VerbsStatus query() {
        return device.status(new ControlRequest.QueryDevice(device.context()));
    }

    private void readsNothing() throws VerbsException, Breach {
        Queue<Breach> breaches = new ConcurrentLinkedQueue<>();
        List<Repeating> busyOnes = new ArrayList<>();
        sink.shut();
        try {
            // What can pile up has done so when the judge looks, and more is on its way.
            storm(PILING);
            busyOnes.add(Repeating.start(_ -> raise()));
            for (int i = 0; i < CALLERS; i++) {
                busyOnes.add(Repeating.start(_ -> {
                    VerbsStatus status = query();
                    if (!ANSWERED.contains(status)) {
                        breaches.add(new Breach("a call: " + status));
                    }
                }));
            }
            attack.point(MeasurePoint.STOPPED);
        } finally {
            // Answers wait behind events that nobody reads.
            sink.open();
            busyOnes.forEach(Repeating::close);
        }
        if (!breaches.isEmpty()) {
            throw breaches.peek();
        }
    }

    private void storm(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            raise();
        }
    }

    /** Arms each queue and makes it a completion, where the last one has come. */
    private void raise() {
        for (int i = 0; i < QUEUES; i++) {
            RawCq cq = queues.get(i);
            if (busy[i] && cq.poll() == null) {
                continue;
            }
            cq.arm(device);
            RawQp qp = pairs.get(i);
            long slot = qp.fill(
                    raised++,
                    SendWqeLayout.OPCODE_RDMA_WRITE,
                    SendFlags.SIGNALLED,
                    region.lkey(),
                    region.address(),
                    Long.BYTES);
            SendWqeLayout.writeRemote(qp.memory(), slot, region.address(), region.rkey());
            qp.publish();
            busy[i] = true;
        }
        LockSupport.parkNanos(1);
    }
}
