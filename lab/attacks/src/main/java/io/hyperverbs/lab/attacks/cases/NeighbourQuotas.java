package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.MeasurePoint;
import io.hyperverbs.lab.attacks.raw.RawCq;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawPair;
import io.hyperverbs.lab.attacks.raw.RawQp;
import io.hyperverbs.lab.attacks.raw.RawRegion;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Holds all it may have of something, and asks for more, while a neighbour creates. */
final class NeighbourQuotas {
    private static final int ROUNDS = 9;

    /** Attacks of this length take all resources, shorter ones the first that is drawn. */
    private static final Duration ALL = Duration.ofSeconds(30);

    /** Nobody may have so many of anything. */
    private static final int MANY = 100_000;

    /** What is held is to cost others nothing; a flood of requests is an attack of its own. */
    private static final long BETWEEN_NANOS = 10_000_000;

    private static final int CQ_ENTRIES = 64;
    private static final long MUCH_BYTES = 8 << 20;

    /** What there are quotas of, by name, each with how one comes to it. */
    private static final List<Resource> RESOURCES = List.of(
            new Resource("mr", device -> region(device, FrameRun.FRAME_BYTES)),
            new Resource("registered", device -> region(device, MUCH_BYTES)),
            new Resource("qp", NeighbourQuotas::queuePair),
            new Resource("cq", device -> () -> device.cq(CQ_ENTRIES)),
            new Resource("pd", device -> device::pd),
            new Resource(
                    "ah", device -> asking(device, new ControlRequest.CreateAh(device.pd(), AddressAttributes.of(1)))),
            new Resource("mw", device -> asking(device, new ControlRequest.AllocateWindow(device.pd(), 2))),
            new Resource("uar", device -> asking(device, new ControlRequest.OpenContext(DataPathKind.BYPASS))));

    private NeighbourQuotas() {}

    private record Resource(String quota, Source source) {}

    /** How one comes to a resource on a device. */
    @FunctionalInterface
    private interface Source {
        Taking on(RawDevice device) throws VerbsException;
    }

    /** Takes one more. */
    @FunctionalInterface
    private interface Taking {
        void take() throws VerbsException;
    }

    private static Taking region(RawDevice device, long lengthBytes) throws VerbsException {
        long pd = device.pd();
        MemorySegment memory = device.buffer(lengthBytes);
        return () -> {
            RawRegion _ = device.region(pd, memory, RawPair.ALL);
        };
    }

    private static Taking queuePair(RawDevice device) throws VerbsException {
        long pd = device.pd();
        RawCq cq = device.cq(CQ_ENTRIES);
        return () -> {
            RawQp _ = RawQp.create(device, pd, cq, QpType.RC);
        };
    }

    private static Taking asking(RawDevice device, ControlRequest request) {
        return () -> {
            ControlReply _ = device.expect(request, ControlReply.class);
        };
    }

    static IsolationCase atItsQuota() {
        return new IsolationCase(
                        "quotas.neighbour",
                        "E8 E9",
                        "holds all it may have of a resource and asks for more while another" + " creates",
                        "ReDMArk A4",
                        "all domains",
                        "the other's creations succeed, as fast as before",
                        NeighbourQuotas::run)
                .withMoments(IsolationCase.Timing.PERCENTILES);
    }

    private static String run(AttackContext context) throws VerbsException, Breach {
        boolean all = context.duration().compareTo(ALL) >= 0;
        List<Resource> order = new ArrayList<>(RESOURCES);
        Collections.shuffle(order, Random.from(context.dice()));
        StringJoiner held = new StringJoiner(", ");
        for (Resource resource : all ? order : order.subList(0, 1)) {
            held.add(hold(context, resource));
        }
        context.point(MeasurePoint.OVER);
        return "held " + held;
    }

    private static String hold(AttackContext context, Resource resource) throws VerbsException, Breach {
        int made = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (AttackContext part = context.part()) {
                RawDevice device = part.device();
                Taking taking = resource.source().on(device);
                context.point(MeasurePoint.CALM);
                askingAt(MeasurePoint.ASKING, context, () -> query(device), VerbsStatus.SUCCESS);
                made = takeAll(taking, resource.quota());
                askingAt(MeasurePoint.BESIDE, context, taking, VerbsStatus.EAGAIN);
            }
        }
        return made + " " + resource.quota();
    }

    /** What a guest may ask for at its quota too, as often: that somebody asks at all costs others (docs/isolation.md). */
    private static void query(RawDevice device) throws VerbsException {
        var _ = device.expect(new ControlRequest.QueryPort(device.context(), 1), ControlReply.PortQueried.class);
    }

    /** Asks again and again while the judge measures; each request must be answered so. */
    private static void askingAt(MeasurePoint point, AttackContext context, Taking taking, VerbsStatus expected)
            throws VerbsException, Breach {
        AtomicReference<VerbsStatus> seen = new AtomicReference<>(expected);
        try (Repeating _ = Repeating.start(_ -> {
            VerbsStatus status = ask(taking);
            if (status != expected) {
                seen.set(status);
            }
            LockSupport.parkNanos(BETWEEN_NANOS);
        })) {
            context.point(point);
        }
        Breach.unless(seen.get() == expected, "its requests were answered by " + seen + ", not " + expected);
    }

    private static VerbsStatus ask(Taking taking) {
        try {
            taking.take();
            return VerbsStatus.SUCCESS;
        } catch (VerbsException e) {
            return e.status();
        }
    }

    private static int takeAll(Taking taking, String quota) throws Breach {
        for (int made = 0; made < MANY; made++) {
            try {
                taking.take();
            } catch (VerbsException e) {
                Breach.unless(e.status() == VerbsStatus.EAGAIN && made > 0, made + " " + quota + ", then " + e);
                return made;
            }
        }
        throw new Breach(MANY + " " + quota);
    }
}
