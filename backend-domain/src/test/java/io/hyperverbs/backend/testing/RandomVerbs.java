package io.hyperverbs.backend.testing;

import io.hyperverbs.backend.session.CqObject;
import io.hyperverbs.backend.session.HandleTable;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionObject;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.List;
import java.util.random.RandomGenerator;

/** Privileged verbs at random, most of them such as are done: on objects that a session has. */
public final class RandomVerbs {
    private static final int FRAMES = 256;
    private static final int REGION_FRAMES = 128;
    private static final ObjectKind[] KINDS = ObjectKind.values();

    private final RandomGenerator random;

    public RandomVerbs(RandomGenerator random) {
        this.random = random;
    }

    /** The next verb of that session. */
    public ControlRequest next(Session s) {
        long context = any(s.contexts());
        long pd = any(s.pds());
        long cq = any(s.cqs());
        long qp = any(s.qps());
        long srq = any(s.srqs());
        return switch (random.nextInt(34)) {
            case 0 ->
                new ControlRequest.OpenContext(random.nextInt(4) == 0 ? DataPathKind.FORWARDED : DataPathKind.BYPASS);
            case 1, 2 -> new ControlRequest.AllocatePd(context);
            case 3 -> new ControlRequest.OpenXrcd(context);
            case 4, 5 -> register(s, pd);
            case 6 -> new ControlRequest.AllocateDmaKey(pd);
            case 7 -> new ControlRequest.AllocateWindow(pd, 1 + random.nextInt(2));
            case 8, 9, 10 -> {
                int count = 1 + random.nextInt(4);
                FrameRun run = run(s, REGION_FRAMES + random.nextInt(FRAMES - REGION_FRAMES - count), count);
                yield new ControlRequest.RegisterRing(context, run.lengthBytes(), List.of(run));
            }
            case 11, 12 -> new ControlRequest.CreateCq(context, entries(), ring(s), random.nextBoolean());
            case 13 ->
                new ControlRequest.ResizeCq(
                        cq, entries(), ring(s), consumed(s.cqs().get(cq)));
            case 14 -> new ControlRequest.ModerateCq(cq, random.nextInt(100), random.nextInt(100));
            case 15, 16, 17 ->
                new ControlRequest.CreateQp(
                        pd,
                        QpType.values()[random.nextInt(QpType.values().length)].code(),
                        cq,
                        any(s.cqs()),
                        ring(s),
                        QpLimits.of(8, random.nextInt(3) == 0 ? 0 : 8),
                        random.nextInt(4) == 0 ? srq : 0);
            case 18, 19, 20, 21 -> new ControlRequest.ModifyQp(qp, attributes());
            case 22 -> new ControlRequest.CreateAh(pd, AddressAttributes.of(1 + random.nextInt(2)));
            case 23 -> new ControlRequest.AttachMulticast(qp, group(), 0xc001);
            case 24 -> new ControlRequest.DetachMulticast(qp, group(), 0xc001);
            case 25 ->
                new ControlRequest.CreateSrq(
                        pd,
                        new SrqLimits(8, 1 + random.nextInt(2)),
                        ring(s),
                        random.nextInt(3) == 0 ? any(s.pds()) : 0,
                        random.nextInt(3) == 0 ? cq : 0);
            case 26 -> new ControlRequest.ArmSrq(srq, random.nextInt(8));
            case 27 -> new ControlRequest.ResizeSrq(srq, 16, ring(s));
            case 28 -> {
                ControlRequest.RegisterMemory to = register(s, pd);
                yield new ControlRequest.ReregisterMemory(
                        any(s.regions()),
                        1 + random.nextInt(7),
                        pd,
                        to.virtualAddress(),
                        to.lengthBytes(),
                        to.access(),
                        to.runs());
            }
            default -> destroy(s);
        };
    }

    private ControlRequest destroy(Session s) {
        ObjectKind kind = KINDS[random.nextInt(KINDS.length)];
        long handle = switch (kind) {
            case CONTEXT -> random.nextInt(8) == 0 ? any(s.contexts()) : 0;
            case PD -> any(s.pds());
            case REGION -> any(s.regions());
            case RING -> any(s.rings());
            case CQ -> any(s.cqs());
            case QP -> any(s.qps());
            case SRQ -> any(s.srqs());
            case WINDOW -> any(s.windows());
            case AH -> any(s.ahs());
        };
        return new ControlRequest.Destroy(kind, handle);
    }

    private ControlRequest.RegisterMemory register(Session s, long pd) {
        int pieces = 1 + random.nextInt(4);
        int each = 1 + random.nextInt(3);
        List<FrameRun> runs = random.ints(pieces, 0, REGION_FRAMES / 4)
                .mapToObj(at -> run(s, 4 * at, each))
                .toList();
        int[] rights = {0, 1, 3, 5, 7, 15, 1 | 16, 7 | 32};
        return new ControlRequest.RegisterMemory(
                pd, 4096L * random.nextInt(99), 4096L * each * pieces, rights[random.nextInt(rights.length)], runs);
    }

    private QpAttributes attributes() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> QpAttributes.toInit(Access.of(random.nextInt(8)));
            case 2 -> QpAttributes.toRtr(new Endpoint(1, 2 + random.nextInt(9), random.nextInt(1 << 24), 4, 2048, 1));
            case 3 -> QpAttributes.toRts(random.nextInt(1 << 24));
            case 4 -> QpAttributes.to(QpState.RESET);
            default -> QpAttributes.to(QpState.ERR).with(QpAttribute.CUR_STATE, QpState.RTS.code());
        };
    }

    private Gid group() {
        return new Gid(0xff12_0000_0000_0000L, random.nextInt(4));
    }

    private int entries() {
        return 1 << random.nextInt(3, 7);
    }

    private long ring(Session s) {
        return random.nextInt(6) == 0 ? 0 : any(s.rings());
    }

    /** Of a forwarded queue nothing was sent, and so nothing taken. */
    private int consumed(CqObject cq) {
        return cq == null || cq.forwarded() != null ? 0 : random.nextInt(9);
    }

    private static FrameRun run(Session s, int first, int count) {
        return new FrameRun(s.ram().getFirst().firstFrame() + first, count);
    }

    /** A handle of that table, now and then one that was never given. */
    private <T extends SessionObject> long any(HandleTable<T> table) {
        List<T> objects = table.objects();
        return objects.isEmpty() || random.nextInt(50) == 0
                ? 17
                : objects.get(random.nextInt(objects.size())).handle();
    }
}
