package io.hyperverbs.frontend;

import io.hyperverbs.hca.DoorbellSleep;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.hca.HcaEvent;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.InterruptLine;
import io.hyperverbs.hca.MachineRun;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.PortLink;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;

/**
 * A real HCA with the thinnest backend over it, for one domain and the bypass path. The test turns
 * the engine by {@link #turn}. {@link #refuse} makes the next request of a kind fail.
 */
public final class HcaControlPath implements ControlPath {
    private static final PortAttributes PORT = new PortAttributes(
            PortState.ACTIVE,
            4096,
            2048,
            1,
            0,
            1,
            0xffff,
            1,
            1,
            1L << 31,
            0,
            0,
            new PortLink(0, 0, 0, 1, 2, 1, 5, 0, 0));

    private record Thing(int number, long address) {}

    public final List<ControlRequest> requests = new ArrayList<>();
    private final MadeMachine machine;
    private final Hca hca;
    private final long statusFrame;
    private final Map<Long, Thing> things = new HashMap<>();
    private final Map<Integer, Long> cqHandles = new HashMap<>();
    private Predicate<ControlRequest> refused = _ -> false;
    private VerbsStatus refusal = VerbsStatus.EAGAIN;
    private EventSink sink;
    private long context;
    private long lastHandle;
    private long nowNanos = 1;
    public boolean closed;

    public HcaControlPath(MadeMachine machine) {
        HcaLimits limits = new HcaLimits(64, 64, 256, 64, 16, 4096, 64, 8, 1, 2048);
        this.machine = machine;
        long contextMemory = machine.take(Hca.contextMemoryBytes(limits) / FrameRun.FRAME_BYTES + 1);
        long status = machine.take(1);
        this.statusFrame = status / FrameRun.FRAME_BYTES;
        InterruptLine line = () -> {};
        this.hca = new Hca(machine.memory(), line, new NoSleep(), limits, contextMemory, status, new Random(1));
    }

    /** The next requests that match are refused. */
    public void refuse(Predicate<ControlRequest> which, VerbsStatus status) {
        refused = which;
        refusal = status;
    }

    /** Lets the engine work until it finds nothing, then passes events on. */
    public void turn() {
        while (hca.engine().doWork(++nowNanos) > 0) {}
        HcaEvent event = new HcaEvent();
        while (hca.poll(event)) {
            switch (event.kind()) {
                case COMPLETION -> sink.completion(cqHandles.get(event.number()));
                case ASYNC ->
                    sink.async(context, new AsyncEvent(AsyncEvent.Type.of(event.asyncCode()), event.number()));
            }
        }
    }

    public void advance(long nanos) {
        nowNanos += nanos;
    }

    public EventSink sink() {
        return sink;
    }

    /** Objects that were created and not destroyed. */
    public int live() {
        return things.size();
    }

    @Override
    public ControlReply call(ControlRequest request) {
        requests.add(request);
        if (refused.test(request)) {
            return new ControlReply.Refused(refusal, "refused by the test");
        }
        return switch (request) {
            case ControlRequest.OpenContext _ -> openContext();
            case ControlRequest.QueryDevice _, ControlRequest.Management _, ControlRequest.AllocateDmaKey _ ->
                new ControlReply.Refused(VerbsStatus.ENOSYS, "not in this test");
            case ControlRequest.QueryPort _ -> new ControlReply.PortQueried(PORT);
            case ControlRequest.QueryGid _ -> new ControlReply.GidQueried(new Gid(0, 1));
            case ControlRequest.QueryPkey _ -> new ControlReply.PkeyQueried(0xffff);
            case ControlRequest.AllocatePd _ -> allocated(hca.allocatePd(1));
            case ControlRequest.OpenXrcd _ -> allocated(hca.openXrcd(1));
            case ControlRequest.RegisterMemory r -> register(r);
            case ControlRequest.RegisterRing r ->
                new ControlReply.RingRegistered(keep(0, r.runs().getFirst().firstMachineAddress()));
            case ControlRequest.CreateCq r -> createCq(r);
            case ControlRequest.ResizeCq r ->
                answer(hca.resizeCq(things.get(r.cq()).number, things.get(r.ring()).address, r.entries()));
            case ControlRequest.ModerateCq r ->
                answer(hca.moderateCq(things.get(r.cq()).number, r.count(), r.periodMicros()));
            case ControlRequest.CreateQp r -> createQp(r);
            case ControlRequest.ModifyQp r -> answer(hca.modifyQp(things.get(r.qp()).number, r.attributes()));
            case ControlRequest.QueryQp r -> new ControlReply.QpQueried(hca.queryQp(things.get(r.qp()).number));
            case ControlRequest.CreateAh r -> createAh(r);
            case ControlRequest.AttachMulticast r ->
                answer(hca.attachMulticast(things.get(r.qp()).number, r.group(), r.lid()));
            case ControlRequest.DetachMulticast r ->
                answer(hca.detachMulticast(things.get(r.qp()).number, r.group(), r.lid()));
            case ControlRequest.CreateSrq r -> createSrq(r);
            case ControlRequest.ArmSrq r -> answer(hca.armSrq(things.get(r.srq()).number, r.limit()));
            case ControlRequest.ResizeSrq r ->
                answer(hca.resizeSrq(things.get(r.srq()).number, things.get(r.ring()).address, r.receiveWr()));
            case ControlRequest.QuerySrq r -> {
                HcaCommands.SrqState state = hca.querySrq(things.get(r.srq()).number);
                yield new ControlReply.SrqQueried(state.entries(), state.limit(), state.head());
            }
            case ControlRequest.ReregisterMemory r -> reregister(r);
            case ControlRequest.AllocateWindow r -> {
                HcaCommands.Windowed window =
                        hca.allocateWindow(things.get(r.pd()).number, MemoryWindow.Type.of(r.typeCode()));
                yield window.status() == VerbsStatus.SUCCESS
                        ? new ControlReply.WindowAllocated(keep(window.window(), 0), window.rkey())
                        : refusal(window.status());
            }
            case ControlRequest.Destroy r -> destroy(r);
        };
    }

    @Override
    public void subscribe(EventSink to) {
        sink = to;
    }

    @Override
    public void close() {
        closed = true;
    }

    private ControlReply openContext() {
        long uar = machine.take(1);
        UarLayout.format(machine.memory(), uar);
        HcaCommands.Numbered opened = hca.openUar(1, uar);
        if (opened.status() != VerbsStatus.SUCCESS) {
            return refusal(opened.status());
        }
        context = keep(opened.number(), uar);
        return new ControlReply.ContextOpened(context, uar / FrameRun.FRAME_BYTES, statusFrame);
    }

    private ControlReply register(ControlRequest.RegisterMemory r) {
        HcaCommands.Keyed keyed =
                hca.createRegion(init(r.pd(), r.virtualAddress(), r.lengthBytes(), r.access(), r.runs()));
        return keyed.status() == VerbsStatus.SUCCESS
                ? new ControlReply.MemoryRegistered(keep(keyed.region(), 0), keyed.lkey(), keyed.rkey())
                : refusal(keyed.status());
    }

    private ControlReply reregister(ControlRequest.ReregisterMemory r) {
        HcaCommands.Keyed keyed = hca.reregisterRegion(
                things.get(r.region()).number, init(r.pd(), r.virtualAddress(), r.lengthBytes(), r.access(), r.runs()));
        return keyed.status() == VerbsStatus.SUCCESS
                ? new ControlReply.MemoryRegistered(r.region(), keyed.lkey(), keyed.rkey())
                : refusal(keyed.status());
    }

    private HcaCommands.RegionInit init(
            long pd, long virtualAddress, long lengthBytes, int access, List<FrameRun> frames) {
        List<MachineRun> runs = frames.stream()
                .map(run -> new MachineRun(run.firstMachineAddress(), run.lengthBytes()))
                .toList();
        return new HcaCommands.RegionInit(
                things.get(pd).number,
                virtualAddress,
                lengthBytes,
                access,
                runs,
                virtualAddress % FrameRun.FRAME_BYTES);
    }

    private ControlReply createCq(ControlRequest.CreateCq r) {
        HcaCommands.Slotted cq =
                hca.createCq(things.get(r.context()).number, things.get(r.ring()).address, r.entries());
        if (cq.status() != VerbsStatus.SUCCESS) {
            return refusal(cq.status());
        }
        long handle = keep(cq.number(), 0);
        cqHandles.put(cq.number(), handle);
        return new ControlReply.CqCreated(handle, cq.number(), cq.slot(), r.entries());
    }

    private ControlReply createQp(ControlRequest.CreateQp r) {
        HcaCommands.Slotted qp = hca.createQp(new HcaCommands.QpInit(
                things.get(context).number,
                things.get(r.pd()).number,
                type(r.typeCode()),
                things.get(r.sendCq()).number,
                things.get(r.receiveCq()).number,
                things.get(r.ring()).address,
                r.limits(),
                1,
                r.srq() == 0 ? 0 : things.get(r.srq()).number));
        return qp.status() == VerbsStatus.SUCCESS
                ? new ControlReply.QpCreated(keep(qp.number(), 0), qp.number(), qp.slot())
                : refusal(qp.status());
    }

    private ControlReply createAh(ControlRequest.CreateAh r) {
        HcaCommands.Handled ah = hca.createAh(things.get(r.pd()).number, r.attributes());
        return ah.status() == VerbsStatus.SUCCESS
                ? new ControlReply.AhCreated(keep(ah.number(), 0), ah.number())
                : refusal(ah.status());
    }

    private ControlReply createSrq(ControlRequest.CreateSrq r) {
        HcaCommands.Numbered srq = hca.createSrq(new HcaCommands.SrqInit(
                things.get(context).number,
                things.get(r.pd()).number,
                things.get(r.ring()).address,
                r.limits().receiveWr(),
                r.limits().receiveSge()));
        return srq.status() == VerbsStatus.SUCCESS
                ? new ControlReply.SrqCreated(keep(srq.number(), 0), srq.number())
                : refusal(srq.status());
    }

    private ControlReply allocated(HcaCommands.Numbered pd) {
        return pd.status() == VerbsStatus.SUCCESS
                ? new ControlReply.PdAllocated(keep(pd.number(), 0), pd.number())
                : refusal(pd.status());
    }

    private static ControlReply answer(HcaCommands.Outcome outcome) {
        return outcome.status() == VerbsStatus.SUCCESS
                ? new ControlReply.Done()
                : new ControlReply.Refused(outcome.status(), outcome.message());
    }

    private static ControlReply answer(VerbsStatus status) {
        return status == VerbsStatus.SUCCESS ? new ControlReply.Done() : refusal(status);
    }

    private VerbsStatus closePd(int number) {
        VerbsStatus asPd = hca.deallocatePd(number);
        return asPd == VerbsStatus.ENOENT ? hca.closeXrcd(number) : asPd;
    }

    private ControlReply destroy(ControlRequest.Destroy r) {
        Thing thing = things.get(r.handle());
        if (thing == null) {
            return refusal(VerbsStatus.ENOENT);
        }
        VerbsStatus status = switch (r.kind()) {
            case CONTEXT -> hca.closeUar(thing.number);
            case PD -> closePd(thing.number);
            case REGION -> hca.destroyRegion(thing.number);
            case RING -> VerbsStatus.SUCCESS;
            case CQ -> hca.destroyCq(thing.number);
            case QP -> hca.destroyQp(thing.number);
            case AH -> hca.destroyAh(thing.number);
            case SRQ -> hca.destroySrq(thing.number);
            case WINDOW -> hca.deallocateWindow(thing.number);
        };
        if (status != VerbsStatus.SUCCESS) {
            return refusal(status);
        }
        things.remove(r.handle());
        return new ControlReply.Done();
    }

    private static QpType type(int code) {
        return Arrays.stream(QpType.values())
                .filter(type -> type.code() == code)
                .findFirst()
                .orElseThrow();
    }

    private long keep(int number, long address) {
        things.put(++lastHandle, new Thing(number, address));
        return lastHandle;
    }

    private static ControlReply refusal(VerbsStatus status) {
        return new ControlReply.Refused(status, "by the HCA");
    }

    /** The test turns the engine itself. */
    private static final class NoSleep implements DoorbellSleep {
        @Override
        public void sleep(long maxNanos) {}

        @Override
        public void wake() {}
    }
}
