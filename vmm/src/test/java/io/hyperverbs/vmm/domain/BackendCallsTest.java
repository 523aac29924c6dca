package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.AcknowledgeNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.AllocateFramesCall;
import io.hyperverbs.vmm.hypercall.wire.FreeFramesCall;
import io.hyperverbs.vmm.hypercall.wire.GrantCall;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.NativeExitedCall;
import io.hyperverbs.vmm.hypercall.wire.NextNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.hypercall.wire.RevokeGrantCall;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.Grant;
import io.hyperverbs.vmm.posix.EventFd;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the backend may ask: its own frames and grants, and pins of others' memory. */
class BackendCallsTest extends CallsFixture {
    private static HypercallRequest.Builder request() {
        return HypercallRequest.newBuilder();
    }

    private static HypercallRequest.Builder allocate(int kind, long frames) {
        return request()
                .setAllocateFrames(AllocateFramesCall.newBuilder().setKind(kind).setFrames(frames));
    }

    private static HypercallRequest.Builder free(long frame) {
        return request().setFreeFrames(FreeFramesCall.newBuilder().setFirstMachineFrame(frame));
    }

    private static HypercallRequest.Builder grant(long frame, int to, boolean readOnly) {
        return request()
                .setGrant(GrantCall.newBuilder()
                        .setFirstMachineFrame(frame)
                        .setToDomain(to)
                        .setReadOnly(readOnly));
    }

    private static HypercallRequest.Builder revoke(long reference) {
        return request().setRevokeGrant(RevokeGrantCall.newBuilder().setReference(reference));
    }

    @Test
    void framesAreTheBackendsUntilItFreesThem() throws Exception {
        HypercallReply reply = call(backend, allocate(FrameKind.CONTEXT.code(), 3));
        long first = reply.getFrames().getExtent().getFirstMachineFrame();

        assertThat(caller.descriptors()).isOne();
        assertThat(machine.frames().ownerOf(first + 2)).isEqualTo(BACKEND);
        expect(backend, free(first), VerbsStatus.SUCCESS);
        assertThat(machine.frames().ownerOf(first)).isEqualTo(-1);
        expect(backend, free(first), VerbsStatus.ENOENT);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31})
    void noFramesOfSizesThatAreNone(long frames) throws Exception {
        long used = machine.frames().usedFrames();

        expect(backend, allocate(FrameKind.UAR.code(), frames), VerbsStatus.ENOMEM);
        expect(backend, allocate(FrameKind.FREE.code(), 1), VerbsStatus.ENOMEM);

        assertThat(machine.frames().usedFrames()).isEqualTo(used);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 6, 100})
    void noFramesOfAKindThatIsNone(int kind) {
        assertThatThrownBy(() -> call(backend, allocate(kind, 1))).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void framesOfOthersAndGrantedOnesStay() throws Exception {
        Extent page = frames(BACKEND, FrameKind.UAR, 1);
        Grant grant = machine.grants().grant(page, GUEST, false);

        expect(backend, free(guest.ram.firstMachineFrame()), VerbsStatus.ENOENT);
        expect(backend, free(page.firstMachineFrame()), VerbsStatus.EBUSY);
        expect(backend, revoke(grant.reference()), VerbsStatus.SUCCESS);
        expect(backend, free(page.firstMachineFrame()), VerbsStatus.SUCCESS);
    }

    @Test
    void grantsAreOfOwnFramesToDomainsThatAre() throws Exception {
        Extent page = frames(BACKEND, FrameKind.UAR, 1);
        long frame = page.firstMachineFrame();

        HypercallReply reply = call(backend, grant(frame, GUEST, false));

        long reference = reply.getGrant().getReference();
        assertThat(machine.grants().find(GUEST, reference).extent()).isSameAs(page);
        expect(backend, grant(frame, 99, false), VerbsStatus.ENOENT);
        assertThat(call(backend, grant(frame, 99, false)).getMessage()).isEqualTo("no domain");
        assertThat(call(backend, grant(frame + 1, GUEST, false)).getMessage()).isEqualTo("no such extent");
        expect(backend, grant(frame + 1, GUEST, false), VerbsStatus.ENOENT);
        expect(backend, grant(guest.ram.firstMachineFrame(), OTHER, false), VerbsStatus.ENOENT);
        assertThat(machine.grants().size()).isOne();
    }

    @Test
    void aReadOnlyGrantIsForEver() throws Exception {
        Extent page = frames(BACKEND, FrameKind.EVENT, 1);
        long frame = page.firstMachineFrame();
        call(backend, grant(frame, GUEST, true));

        expect(backend, grant(frame, OTHER, false), VerbsStatus.EINVAL);
        assertThat(call(backend, grant(frame, OTHER, true)).hasGrant()).isTrue();
    }

    /** Memory of domains is sealed at once, and never becomes read-only. */
    @Test
    void memoryIsNotGrantedReadOnly() throws Exception {
        Extent own = frames(BACKEND, FrameKind.RAM, 1);

        expect(backend, grant(own.firstMachineFrame(), GUEST, true), VerbsStatus.EINVAL);
        assertThat(machine.grants().size()).isZero();
    }

    @Test
    void grantsOfOthersAreNotRevoked() throws Exception {
        Grant foreign = machine.grants().grant(other.ram, GUEST, false);

        expect(backend, revoke(foreign.reference()), VerbsStatus.ENOENT);
        expect(backend, revoke(0), VerbsStatus.ENOENT);
        assertThat(machine.grants().size()).isOne();
    }

    private static HypercallRequest.Builder acknowledge(long notice) {
        return request()
                .setAcknowledgeNotice(AcknowledgeNoticeCall.newBuilder()
                        .setNotice(notice)
                        .setStatus(VerbsStatus.EIO.code())
                        .setMessage("words"));
    }

    @Test
    void noticesAreAnsweredOnce() throws Exception {
        HypercallRequest.Builder ask = request().setNextNotice(NextNoticeCall.getDefaultInstance());
        long asked = caller.send(new DomainCalls(machine, backend), ask);
        var answer = backend.hca().notices().send(NoticeReply.newBuilder(), List.of());
        HypercallReply first = caller.next();
        var second = backend.hca().notices().send(NoticeReply.newBuilder(), List.of());

        assertThat(first.getId()).isEqualTo(asked);
        long notice = first.getNotice().getNotice();
        expect(backend, acknowledge(notice), VerbsStatus.SUCCESS);
        assertThat(answer.get().message()).isEqualTo("words");
        assertThat(answer.get().status()).isEqualTo(VerbsStatus.EIO);
        expect(backend, acknowledge(notice), VerbsStatus.ENOENT);
        expect(backend, acknowledge(99), VerbsStatus.ENOENT);
        assertThat(call(backend, ask).getNotice().getNotice()).isEqualTo(notice + 1);
        assertThat(second).isNotDone();
    }

    @Test
    void anAnswerThatNobodyWaitsForIsTold() throws Exception {
        var answer = backend.hca().notices().send(NoticeReply.newBuilder(), List.of());
        answer.cancel(false);

        expect(backend, acknowledge(1), VerbsStatus.ENOENT);
    }

    @Test
    void withoutABackendNoticesAreAnsweredByNobody() throws Exception {
        EventFd unsent = EventFd.create();
        var waiting = backend.hca().notices().send(NoticeReply.newBuilder(), List.of(unsent.fd()));
        EventFd late = EventFd.create();

        backend.hca().notices().backendGone();
        var never = backend.hca().notices().send(NoticeReply.newBuilder(), List.of(late.fd()));

        assertThat(waiting.get().status()).isEqualTo(VerbsStatus.EIO);
        assertThat(never.get().status()).isEqualTo(VerbsStatus.EIO);
        for (EventFd closed : List.of(unsent, late)) {
            assertThatThrownBy(() -> closed.fd().duplicate());
        }
        expect(backend, acknowledge(1), VerbsStatus.ENOENT);
    }

    private static HypercallRequest.Builder exited(int domain) {
        return request()
                .setNativeExited(NativeExitedCall.newBuilder().setDomain(domain).setExitCode(5));
    }

    @Test
    void onlyNativeDomainsAreSaidToHaveEnded() throws Exception {
        expect(backend, exited(GUEST), VerbsStatus.ENOENT);
        expect(backend, exited(BACKEND), VerbsStatus.ENOENT);
        expect(backend, exited(99), VerbsStatus.ENOENT);
        expect(backend, exited(NATIVE), VerbsStatus.SUCCESS);

        assertThat(nativeDomain.nativeExited).isTrue();
        assertThat(nativeDomain.exitCode).isEqualTo(5);
        assertThat(guest.nativeExited).isFalse();
    }
}
