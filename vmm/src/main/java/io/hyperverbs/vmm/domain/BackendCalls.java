package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallConnection;
import io.hyperverbs.vmm.hypercall.WireExtents;
import io.hyperverbs.vmm.hypercall.wire.AcknowledgeNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.AllocateFramesCall;
import io.hyperverbs.vmm.hypercall.wire.DomainPlaceReply;
import io.hyperverbs.vmm.hypercall.wire.FramesReply;
import io.hyperverbs.vmm.hypercall.wire.GrantCall;
import io.hyperverbs.vmm.hypercall.wire.GrantReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.NativeExitedCall;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.Grant;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers what a device domain alone may ask. It has to do with its own frames and with the guests
 * of its HCA; those of other HCAs are to it as if they were not.
 */
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
            case NEXT_NOTICE -> domain.hca().notices().ask(caller, id);
            case ACKNOWLEDGE_NOTICE -> acknowledge(id, request.getAcknowledgeNotice(), caller);
            case NATIVE_EXITED -> nativeExited(id, request.getNativeExited(), caller);
            case FIND_DOMAIN -> find(id, request.getFindDomain().getName(), caller);
            default -> throw new IllegalStateException("not a backend call: " + request);
        }
    }

    /** A domain of this HCA, the device domain itself among them; null if it is none. */
    private @Nullable DomainRecord served(int id) {
        DomainRecord found = machine.table().find(id);
        return found != null && found.isOn(domain.hca()) ? found : null;
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
        DomainRecord to = served(call.getToDomain());
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
        boolean known = domain.hca()
                .notices()
                .acknowledge(
                        call.getNotice(),
                        new NoticeQueue.Acknowledgement(
                                VerbsStatus.of(call.getStatus()), call.getMessage(), call.getReport()));
        answer(id, known ? VerbsStatus.SUCCESS : VerbsStatus.ENOENT, "no such notice", caller);
    }

    private void nativeExited(long id, NativeExitedCall call, HypercallConnection caller) {
        DomainRecord ended = served(call.getDomain());
        if (ended == null || ended.kind() != DomainKind.NATIVE) {
            caller.refuse(id, VerbsStatus.ENOENT, "no such native domain");
            return;
        }
        caller.done(id);
        machine.nativeExited(ended, call.getExitCode());
    }

    private void find(long id, String name, HypercallConnection caller) {
        DomainRecord found = machine.table().find(name);
        if (found == null
                || found.kind() == DomainKind.BACKEND
                || machine.table().stateOf(found).ended()) {
            caller.refuse(id, VerbsStatus.ENOENT, "no domain of that name");
            return;
        }
        DomainPlaceReply place = DomainPlaceReply.newBuilder()
                .setDomain(found.id())
                .setHca(found.hca().name())
                .build();
        caller.reply(HypercallReply.newBuilder().setId(id).setDomainPlace(place), List.of());
    }
}
