package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.AcknowledgeNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.AllocateFramesCall;
import io.hyperverbs.vmm.hypercall.wire.DomainPlaceReply;
import io.hyperverbs.vmm.hypercall.wire.ExtentMessage;
import io.hyperverbs.vmm.hypercall.wire.FindDomainCall;
import io.hyperverbs.vmm.hypercall.wire.FreeFramesCall;
import io.hyperverbs.vmm.hypercall.wire.GrantCall;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.NativeExitedCall;
import io.hyperverbs.vmm.hypercall.wire.NextNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.RevokeGrantCall;
import io.hyperverbs.vmm.hypercall.wire.StoreWriteCall;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.DomainPins;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.FrameTable;
import io.hyperverbs.vmm.memory.MachineMapping;
import io.hyperverbs.vmm.memory.MappedExtent;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ProcessAttributes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backend domain's hypercalls, and its view of all machine memory. Callable from any thread.
 */
public final class BackendHypercallClient implements BackendHypercalls {
    /** In {@link Boot#settings}: how many frames the machine has. */
    public static final String MACHINE_FRAMES = "machine.frames";

    private static final Logger LOG = LoggerFactory.getLogger(BackendHypercallClient.class);

    private final HypercallClient calls;
    private final MachineMapping machine;
    private final NoticeReader notices;

    /** Memory of what {@link #allocateFrames} took, by first frame. */
    private final Map<Long, Fd> allocated = new ConcurrentHashMap<>();

    private BackendHypercallClient(HypercallClient calls, MachineMapping machine) {
        this.calls = calls;
        this.machine = machine;
        this.notices = new NoticeReader(machine);
    }

    /**
     * Connects as {@link HypercallClient#connect} does, and makes room for the machine's memory.
     * Closes this process to inspection by others of its user.
     */
    public static BackendHypercallClient connect(Path socket, String token) throws IOException, HypercallException {
        ProcessAttributes.forbidInspection();
        HypercallClient calls = HypercallClient.connect(socket, token);
        try {
            String frames = calls.boot().settings().get(MACHINE_FRAMES);
            if (frames == null) {
                throw new HypercallException(VerbsStatus.EPERM, "not the backend domain");
            }
            long bytes = Long.parseLong(frames) * FrameTable.FRAME_BYTES;
            return new BackendHypercallClient(calls, MachineMapping.reserve(bytes));
        } catch (IOException | HypercallException | RuntimeException e) {
            calls.close();
            throw e;
        }
    }

    private HypercallChannel.Answer call(HypercallRequest.Builder request) throws HypercallException {
        return calls.channel().call(request);
    }

    private HypercallChannel.Answer callAtOnce(HypercallRequest.Builder request) throws HypercallException {
        return calls.callAtOnce(request);
    }

    @Override
    public MemorySegment machineMemory() {
        return machine.memory();
    }

    @Override
    public MappedExtent allocateFrames(FrameKind kind, long frames) throws HypercallException {
        HypercallChannel.Answer answer = callAtOnce(HypercallRequest.newBuilder()
                .setAllocateFrames(
                        AllocateFramesCall.newBuilder().setKind(kind.code()).setFrames(frames)));
        ExtentMessage extent = answer.reply().getFrames().getExtent();
        long first = extent.getFirstMachineFrame();
        boolean kept = false;
        try {
            Fd memfd = answer.descriptor();
            MappedExtent mapped = machine.add(first, extent.getFrames(), kind, memfd);
            allocated.put(first, memfd);
            kept = true;
            return mapped;
        } catch (PosixException e) {
            throw new HypercallException(VerbsStatus.ENOMEM, e.getMessage());
        } finally {
            if (!kept) {
                answer.descriptors().forEach(Fd::close);
                free(first);
            }
        }
    }

    @Override
    public void freeFrames(MappedExtent extent) throws HypercallException {
        long first = extent.firstMachineFrame();
        Fd memfd = allocated.remove(first);
        if (memfd == null) {
            throw new HypercallException(VerbsStatus.ENOENT, "no extent at frame " + first);
        }
        boolean freed = false;
        try {
            // Unmapped before the VMM is notified: afterwards the numbers may be another extent's.
            machine.remove(extent);
            free(first);
            freed = true;
            memfd.close();
        } catch (PosixException e) {
            throw new HypercallException(VerbsStatus.ENOMEM, e.getMessage());
        } finally {
            if (!freed) {
                restore(extent, memfd);
            }
        }
    }

    /** The VMM kept the frames after all. */
    private void restore(MappedExtent extent, Fd memfd) {
        // First: mapped or not, they can then be freed by another call.
        allocated.put(extent.firstMachineFrame(), memfd);
        try {
            var _ = machine.add(extent.firstMachineFrame(), extent.frames(), extent.kind(), memfd);
        } catch (PosixException e) {
            LOG.warn("frames {} are not mapped again: {}", extent, e.getMessage());
        }
    }

    private void free(long firstMachineFrame) throws HypercallException {
        callAtOnce(HypercallRequest.newBuilder()
                .setFreeFrames(FreeFramesCall.newBuilder().setFirstMachineFrame(firstMachineFrame)));
    }

    @Override
    public long grant(MappedExtent extent, int toDomain, boolean readOnly) throws HypercallException {
        GrantCall.Builder grant = GrantCall.newBuilder()
                .setFirstMachineFrame(extent.firstMachineFrame())
                .setToDomain(toDomain)
                .setReadOnly(readOnly);
        return callAtOnce(HypercallRequest.newBuilder().setGrant(grant))
                .reply()
                .getGrant()
                .getReference();
    }

    @Override
    public void revokeGrant(long reference) throws HypercallException {
        callAtOnce(HypercallRequest.newBuilder()
                .setRevokeGrant(RevokeGrantCall.newBuilder().setReference(reference)));
    }

    @Override
    public void pin(int domain, List<FrameRun> runs, boolean asRing) throws HypercallException {
        accept(pinsOf(domain).pin(runs, asRing), "cannot pin these frames of domain " + domain);
    }

    @Override
    public void unpin(int domain, List<FrameRun> runs, boolean asRing) throws HypercallException {
        accept(pinsOf(domain).unpin(runs, asRing), "frames of domain " + domain + " not pinned so");
    }

    private DomainPins pinsOf(int domain) throws HypercallException {
        DomainPins pins = notices.pinsOf(domain);
        if (pins == null) {
            throw new HypercallException(VerbsStatus.EFAULT, "no domain " + domain + " on this HCA");
        }
        return pins;
    }

    private static void accept(VerbsStatus status, String refused) throws HypercallException {
        if (status != VerbsStatus.SUCCESS) {
            throw new HypercallException(status, refused);
        }
    }

    @Override
    public DomainNotice nextNotice() throws HypercallException {
        HypercallChannel.Answer answer =
                call(HypercallRequest.newBuilder().setNextNotice(NextNoticeCall.getDefaultInstance()));
        boolean read = false;
        try {
            DomainNotice notice = notices.read(answer);
            read = true;
            return notice;
        } finally {
            if (!read) {
                // A domain that cannot be shown to this process does not start.
                answer.descriptors().forEach(Fd::close);
                acknowledge(
                        answer.reply().getNotice().getNotice(),
                        VerbsStatus.ENOMEM,
                        "its memory cannot be mapped into the device domain");
            }
        }
    }

    @Override
    public void acknowledge(DomainNotice notice, VerbsStatus status, String message) throws HypercallException {
        boolean gone = switch (notice) {
            // What the HCA did not release stays mapped: a late copy must hit nothing else.
            case DomainNotice.Removed _ -> status == VerbsStatus.SUCCESS;
            case DomainNotice.Added _ -> status != VerbsStatus.SUCCESS;
            case DomainNotice.PortSet _,
                    DomainNotice.LinkSet _,
                    DomainNotice.CaptureStarted _,
                    DomainNotice.CaptureStopped _,
                    DomainNotice.SessionAsked _ -> false;
        };
        if (gone) {
            // Before the VMM is notified: afterwards these frame numbers may be another domain's.
            notices.forget(notice.domain());
        }
        acknowledge(notice.notice(), status, message);
    }

    private void acknowledge(long notice, VerbsStatus status, String message) throws HypercallException {
        call(HypercallRequest.newBuilder()
                .setAcknowledgeNotice(AcknowledgeNoticeCall.newBuilder()
                        .setNotice(notice)
                        .setStatus(status.code())
                        .setMessage(message)));
    }

    @Override
    public void report(DomainNotice.SessionAsked notice, SessionReport report) throws HypercallException {
        call(HypercallRequest.newBuilder()
                .setAcknowledgeNotice(AcknowledgeNoticeCall.newBuilder()
                        .setNotice(notice.notice())
                        .setStatus(VerbsStatus.SUCCESS.code())
                        .setReport(SessionReportCodec.encode(report))));
    }

    @Override
    public void storeWriteFor(int domain, String key, @Nullable String value) throws HypercallException {
        StoreWriteCall.Builder write = StoreWriteCall.newBuilder().setKey(key).setOnBehalfOf(domain);
        calls.write(value == null ? write.setRemove(true) : write.setValue(value));
    }

    @Override
    public Optional<NetworkDevice> takeNetworkFor(int domain) throws HypercallException {
        return calls.takeNetwork(domain);
    }

    @Override
    public void nativeExited(int domain, int exitCode) throws HypercallException {
        call(HypercallRequest.newBuilder()
                .setNativeExited(NativeExitedCall.newBuilder().setDomain(domain).setExitCode(exitCode)));
    }

    @Override
    public Optional<DomainPlace> find(String name) throws HypercallException {
        try {
            DomainPlaceReply place = callAtOnce(HypercallRequest.newBuilder()
                            .setFindDomain(FindDomainCall.newBuilder().setName(name)))
                    .reply()
                    .getDomainPlace();
            return Optional.of(new DomainPlace(place.getDomain(), place.getHca()));
        } catch (HypercallException e) {
            if (e.status() == VerbsStatus.ENOENT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public Boot boot() {
        return calls.boot();
    }

    @Override
    public void ready() throws HypercallException {
        calls.ready();
    }

    @Override
    public MappedExtent mapGrant(long reference) throws HypercallException {
        return calls.mapGrant(reference);
    }

    @Override
    public void unmap(MappedExtent extent) {
        calls.unmap(extent);
    }

    @Override
    public void storeWrite(String key, String value) throws HypercallException {
        calls.storeWrite(key, value);
    }

    @Override
    public void storeRemove(String key) throws HypercallException {
        calls.storeRemove(key);
    }

    /** As {@link HypercallClient#prepareForEnd}. */
    public void prepareForEnd() {
        calls.prepareForEnd();
    }

    @Override
    public Optional<String> storeRead(String path, Duration wait) throws HypercallException {
        return calls.storeRead(path, wait);
    }

    @Override
    public void ringDoorbellEvent() {
        calls.ringDoorbellEvent();
    }

    @Override
    public void onVmmGone(Runnable action) {
        calls.onVmmGone(action);
    }

    @Override
    public void close() {
        calls.close();
    }
}
