package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.AcknowledgeNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.AllocateFramesCall;
import io.hyperverbs.vmm.hypercall.wire.ExtentMessage;
import io.hyperverbs.vmm.hypercall.wire.FreeFramesCall;
import io.hyperverbs.vmm.hypercall.wire.GrantCall;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.NativeExitedCall;
import io.hyperverbs.vmm.hypercall.wire.NextNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.PinFramesCall;
import io.hyperverbs.vmm.hypercall.wire.RevokeGrantCall;
import io.hyperverbs.vmm.hypercall.wire.StoreWriteCall;
import io.hyperverbs.vmm.hypercall.wire.UnpinFramesCall;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.FrameTable;
import io.hyperverbs.vmm.memory.MachineMapping;
import io.hyperverbs.vmm.memory.MappedExtent;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ProcessAttributes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The backend domain's hypercalls, and its view of all machine memory. Callable from any thread.
 */
public final class BackendHypercallClient implements BackendHypercalls {
    /** In {@link Boot#settings}: how many frames the machine has. */
    public static final String MACHINE_FRAMES = "machine.frames";

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
    public static BackendHypercallClient connect(Path socket, String token)
            throws IOException, HypercallException {
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

    private HypercallChannel.Answer call(HypercallRequest.Builder request)
            throws HypercallException {
        return calls.channel().call(request);
    }

    @Override
    public MemorySegment machineMemory() {
        return machine.memory();
    }

    @Override
    public MappedExtent allocateFrames(FrameKind kind, long frames) throws HypercallException {
        HypercallChannel.Answer answer =
                call(
                        HypercallRequest.newBuilder()
                                .setAllocateFrames(
                                        AllocateFramesCall.newBuilder()
                                                .setKind(kind.code())
                                                .setFrames(frames)));
        ExtentMessage extent = answer.reply().getFrames().getExtent();
        long first = extent.getFirstMachineFrame();
        Fd memfd = answer.descriptors().getFirst();
        try {
            MappedExtent mapped = machine.add(first, extent.getFrames(), kind, memfd);
            allocated.put(first, memfd);
            return mapped;
        } catch (PosixException e) {
            memfd.close();
            free(first);
            throw new HypercallException(VerbsStatus.ENOMEM, e.getMessage());
        }
    }

    @Override
    public void freeFrames(MappedExtent extent) throws HypercallException {
        long first = extent.firstMachineFrame();
        Fd memfd = allocated.remove(first);
        if (memfd == null) {
            throw new HypercallException(VerbsStatus.ENOENT, "no extent at frame " + first);
        }
        try {
            // Unmapped before the VMM hears of it: afterwards the numbers may be another extent's.
            machine.remove(extent);
            free(first);
            memfd.close();
        } catch (PosixException e) {
            throw new HypercallException(VerbsStatus.ENOMEM, e.getMessage());
        } catch (HypercallException e) {
            restore(extent, memfd);
            throw e;
        }
    }

    /** The VMM kept the frames after all. */
    private void restore(MappedExtent extent, Fd memfd) {
        try {
            machine.add(extent.firstMachineFrame(), extent.frames(), extent.kind(), memfd);
            allocated.put(extent.firstMachineFrame(), memfd);
        } catch (PosixException e) {
            throw new IllegalStateException("cannot map frames again", e);
        }
    }

    private void free(long firstMachineFrame) throws HypercallException {
        call(
                HypercallRequest.newBuilder()
                        .setFreeFrames(
                                FreeFramesCall.newBuilder()
                                        .setFirstMachineFrame(firstMachineFrame)));
    }

    @Override
    public long grant(MappedExtent extent, int toDomain, boolean readOnly)
            throws HypercallException {
        GrantCall.Builder grant =
                GrantCall.newBuilder()
                        .setFirstMachineFrame(extent.firstMachineFrame())
                        .setToDomain(toDomain)
                        .setReadOnly(readOnly);
        return call(HypercallRequest.newBuilder().setGrant(grant))
                .reply()
                .getGrant()
                .getReference();
    }

    @Override
    public void revokeGrant(long reference) throws HypercallException {
        call(
                HypercallRequest.newBuilder()
                        .setRevokeGrant(RevokeGrantCall.newBuilder().setReference(reference)));
    }

    @Override
    public void pin(int domain, List<FrameRun> runs, boolean asRing) throws HypercallException {
        call(
                HypercallRequest.newBuilder()
                        .setPinFrames(
                                PinFramesCall.newBuilder()
                                        .setDomain(domain)
                                        .addAllRuns(WireExtents.messages(runs))
                                        .setAsRing(asRing)));
    }

    @Override
    public void unpin(int domain, List<FrameRun> runs, boolean asRing) throws HypercallException {
        call(
                HypercallRequest.newBuilder()
                        .setUnpinFrames(
                                UnpinFramesCall.newBuilder()
                                        .setDomain(domain)
                                        .addAllRuns(WireExtents.messages(runs))
                                        .setAsRing(asRing)));
    }

    @Override
    public DomainNotice nextNotice() throws HypercallException {
        return notices.read(
                call(
                        HypercallRequest.newBuilder()
                                .setNextNotice(NextNoticeCall.getDefaultInstance())));
    }

    @Override
    public void acknowledge(DomainNotice notice, VerbsStatus status, String message)
            throws HypercallException {
        boolean gone =
                switch (notice) {
                    case DomainNotice.Removed _ -> true;
                    case DomainNotice.Added _ -> status != VerbsStatus.SUCCESS;
                    case DomainNotice.PortSet _, DomainNotice.SessionAsked _ -> false;
                };
        if (gone) {
            // Before the VMM hears of it: afterwards these frame numbers may be another domain's.
            notices.forget(notice.domain());
        }
        call(
                HypercallRequest.newBuilder()
                        .setAcknowledgeNotice(
                                AcknowledgeNoticeCall.newBuilder()
                                        .setNotice(notice.notice())
                                        .setStatus(status.code())
                                        .setMessage(message)));
    }

    @Override
    public void report(DomainNotice.SessionAsked notice, SessionReport report)
            throws HypercallException {
        call(
                HypercallRequest.newBuilder()
                        .setAcknowledgeNotice(
                                AcknowledgeNoticeCall.newBuilder()
                                        .setNotice(notice.notice())
                                        .setStatus(VerbsStatus.SUCCESS.code())
                                        .setReport(SessionReportCodec.encode(report))));
    }

    @Override
    public void storeWriteFor(int domain, String key, @Nullable String value)
            throws HypercallException {
        StoreWriteCall.Builder write =
                StoreWriteCall.newBuilder().setKey(key).setOnBehalfOf(domain);
        calls.write(value == null ? write.setRemove(true) : write.setValue(value));
    }

    @Override
    public void nativeExited(int domain, int exitCode) throws HypercallException {
        call(
                HypercallRequest.newBuilder()
                        .setNativeExited(
                                NativeExitedCall.newBuilder()
                                        .setDomain(domain)
                                        .setExitCode(exitCode)));
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
