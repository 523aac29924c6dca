package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallConnection;
import io.hyperverbs.vmm.hypercall.WireExtents;
import io.hyperverbs.vmm.hypercall.wire.AcknowledgeNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.AllocateFramesCall;
import io.hyperverbs.vmm.hypercall.wire.FramesReply;
import io.hyperverbs.vmm.hypercall.wire.GrantCall;
import io.hyperverbs.vmm.hypercall.wire.GrantReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.NativeExitedCall;
import io.hyperverbs.vmm.hypercall.wire.PinFramesCall;
import io.hyperverbs.vmm.hypercall.wire.UnpinFramesCall;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.Grant;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.List;

/** Answers what the backend domain alone may ask. */
final class BackendCalls {
    private final Machine machine;
    private final DomainRecord domain;

    BackendCalls(Machine machine, DomainRecord domain) {
        this.machine = machine;
        this.domain = domain;
    }

    void serve(HypercallRequest request, HypercallConnection caller) throws PosixException {
        long id = request.getId();
        switch (request.getCallCase()) {
            case ALLOCATE_FRAMES -> allocate(id, request.getAllocateFrames(), caller);
            case FREE_FRAMES -> free(id, request.getFreeFrames().getFirstMachineFrame(), caller);
            case GRANT -> grant(id, request.getGrant(), caller);
            case REVOKE_GRANT -> revoke(id, request.getRevokeGrant().getReference(), caller);
            case PIN_FRAMES -> {
                PinFramesCall pin = request.getPinFrames();
                VerbsStatus status =
                        machine.frames().pin(pin.getDomain(), WireExtents.runs(pin.getRunsList()), pin.getAsRing());
                answer(id, status, "cannot pin these frames of domain " + pin.getDomain(), caller);
            }
            case UNPIN_FRAMES -> {
                UnpinFramesCall unpin = request.getUnpinFrames();
                VerbsStatus status = machine.frames()
                        .unpin(unpin.getDomain(), WireExtents.runs(unpin.getRunsList()), unpin.getAsRing());
                answer(id, status, "frames of " + unpin.getDomain() + " not pinned so", caller);
            }
            case NEXT_NOTICE -> machine.notices().ask(caller, id);
            case ACKNOWLEDGE_NOTICE -> acknowledge(id, request.getAcknowledgeNotice(), caller);
            case NATIVE_EXITED -> nativeExited(id, request.getNativeExited(), caller);
            default -> throw new IllegalStateException("not a backend call: " + request);
        }
    }

    private static void answer(long id, VerbsStatus status, String message, HypercallConnection caller) {
        if (status == VerbsStatus.SUCCESS) {
            caller.done(id);
        } else {
            caller.refuse(id, status, message);
        }
    }

    private void allocate(long id, AllocateFramesCall call, HypercallConnection caller) throws PosixException {
        FrameKind kind = WireExtents.kind(call.getKind());
        Extent extent = machine.frames().allocate(domain.id(), kind, call.getFrames());
        if (extent == null) {
            caller.refuse(id, VerbsStatus.ENOMEM, "no room for " + call.getFrames() + " frames");
            return;
        }
        try {
            Fd memfd = machine.frames().duplicateMemfd(extent);
            if (memfd == null) {
                caller.refuse(id, VerbsStatus.ENOMEM, "frames freed meanwhile");
                return;
            }
            caller.reply(
                    HypercallReply.newBuilder()
                            .setId(id)
                            .setFrames(FramesReply.newBuilder().setExtent(WireExtents.of(extent))),
                    List.of(memfd));
        } catch (PosixException | RuntimeException | Error e) {
            // No domain has its handle, so none would free it.
            var _ = machine.frames().free(domain.id(), extent.firstMachineFrame());
            throw e;
        }
    }

    private void free(long id, long firstMachineFrame, HypercallConnection caller) {
        Extent extent = machine.frames().find(domain.id(), firstMachineFrame);
        if (extent != null && machine.grants().isGranted(extent)) {
            caller.refuse(id, VerbsStatus.EBUSY, "frames are granted");
            return;
        }
        VerbsStatus status = machine.frames().free(domain.id(), firstMachineFrame);
        if (extent != null && status == VerbsStatus.SUCCESS) {
            machine.grants().forget(extent);
        }
        answer(id, status, "cannot free the extent at frame " + firstMachineFrame, caller);
    }

    private void grant(long id, GrantCall call, HypercallConnection caller) throws PosixException {
        Extent extent = machine.frames().find(domain.id(), call.getFirstMachineFrame());
        DomainRecord to = machine.table().find(call.getToDomain());
        if (extent == null || to == null) {
            caller.refuse(id, VerbsStatus.ENOENT, extent == null ? "no such extent" : "no domain");
            return;
        }
        Grant grant = machine.grants().grant(extent, to.id(), call.getReadOnly());
        if (grant == null) {
            caller.refuse(id, VerbsStatus.EINVAL, "its memory is sealed otherwise");
            return;
        }
        caller.reply(
                HypercallReply.newBuilder()
                        .setId(id)
                        .setGrant(GrantReply.newBuilder().setReference(grant.reference())),
                List.of());
    }

    private void revoke(long id, long reference, HypercallConnection caller) {
        boolean revoked = machine.grants().revoke(domain.id(), reference);
        answer(id, revoked ? VerbsStatus.SUCCESS : VerbsStatus.ENOENT, "no such grant", caller);
    }

    private void acknowledge(long id, AcknowledgeNoticeCall call, HypercallConnection caller) {
        boolean known = machine.notices()
                .acknowledge(
                        call.getNotice(),
                        new NoticeQueue.Acknowledgement(
                                VerbsStatus.of(call.getStatus()), call.getMessage(), call.getReport()));
        answer(id, known ? VerbsStatus.SUCCESS : VerbsStatus.ENOENT, "no such notice", caller);
    }

    private void nativeExited(long id, NativeExitedCall call, HypercallConnection caller) {
        DomainRecord ended = machine.table().find(call.getDomain());
        if (ended == null || ended.kind() != DomainKind.NATIVE) {
            caller.refuse(id, VerbsStatus.ENOENT, "no such native domain");
            return;
        }
        caller.done(id);
        machine.nativeExited(ended, call.getExitCode());
    }
}
