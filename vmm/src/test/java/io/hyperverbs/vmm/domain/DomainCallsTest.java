package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.cores.CorePlacement;
import io.hyperverbs.vmm.hypercall.BackendHypercallClient;
import io.hyperverbs.vmm.hypercall.WireExtents;
import io.hyperverbs.vmm.hypercall.wire.AcknowledgeNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.AllocateFramesCall;
import io.hyperverbs.vmm.hypercall.wire.BootReply;
import io.hyperverbs.vmm.hypercall.wire.FreeFramesCall;
import io.hyperverbs.vmm.hypercall.wire.GrantCall;
import io.hyperverbs.vmm.hypercall.wire.HelloCall;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.MapGrantCall;
import io.hyperverbs.vmm.hypercall.wire.NativeExitedCall;
import io.hyperverbs.vmm.hypercall.wire.NextNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.ReadyCall;
import io.hyperverbs.vmm.hypercall.wire.RevokeGrantCall;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.Grant;
import io.hyperverbs.vmm.posix.EventFd;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Pipe;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What any domain may ask, and what is refused to all but the backend. */
class DomainCallsTest extends CallsFixture {
    private static final int LATE = 9;

    private static HypercallRequest.Builder request() {
        return HypercallRequest.newBuilder();
    }

    private static HypercallRequest.Builder mapGrant(long reference) {
        return request().setMapGrant(MapGrantCall.newBuilder().setReference(reference));
    }

    @Test
    void whatIsTheBackendsIsRefusedToAllOthersAndDoesNothing() throws Exception {
        long frame = guest.ram.firstMachineFrame();
        Extent page = frames(BACKEND, FrameKind.UAR, 1);
        Grant grant = machine.grants().grant(page, OTHER, false);
        long used = machine.frames().usedFrames();

        for (DomainRecord domain : List.of(guest, other, nativeDomain)) {
            for (HypercallRequest.Builder call : List.of(
                    request()
                            .setAllocateFrames(AllocateFramesCall.newBuilder()
                                    .setKind(FrameKind.UAR.code())
                                    .setFrames(1)),
                    request().setFreeFrames(FreeFramesCall.newBuilder().setFirstMachineFrame(frame)),
                    request()
                            .setGrant(GrantCall.newBuilder()
                                    .setFirstMachineFrame(frame)
                                    .setToDomain(OTHER)),
                    request().setRevokeGrant(RevokeGrantCall.newBuilder().setReference(grant.reference())),
                    request().setNextNotice(NextNoticeCall.getDefaultInstance()),
                    request()
                            .setAcknowledgeNotice(
                                    AcknowledgeNoticeCall.newBuilder().setNotice(1)),
                    request().setNativeExited(NativeExitedCall.newBuilder().setDomain(NATIVE)))) {
                expect(domain, call, VerbsStatus.EPERM);
            }
        }

        assertThat(machine.frames().usedFrames()).isEqualTo(used);
        assertThat(machine.frames().pins()).isZero();
        assertThat(machine.grants().find(OTHER, grant.reference())).isEqualTo(grant);
        assertThat(nativeDomain.nativeExited).isFalse();
    }

    @Test
    void aRequestWithoutACallIsAViolation() {
        assertThatThrownBy(() -> call(guest, request()))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessage("request without a call");
    }

    @Test
    void readyIsHeardOnce() throws IOException {
        expect(guest, request().setReady(ReadyCall.getDefaultInstance()), VerbsStatus.SUCCESS);

        assertThat(guest.ready).isCompleted();
        assertThat(other.ready).isNotDone();
    }

    @Test
    void aGuestIsToldOfItselfAlone() throws IOException {
        HypercallReply reply = call(guest, request().setHello(HelloCall.getDefaultInstance()));

        BootReply boot = reply.getBoot();
        assertThat(boot.getDomain()).isEqualTo(GUEST);
        assertThat(boot.getName()).isEqualTo("a");
        assertThat(boot.getSettingsMap()).containsOnlyKeys("weight");
        assertThat(boot.getRam(0).getFirstMachineFrame()).isEqualTo(guest.ram.firstMachineFrame());
        assertThat(boot.getRamCount()).isOne();
        assertThat(caller.descriptors()).isOne();
        assertThat(guest.pid).isEqualTo(77);
    }

    /** The guest itself gets none, as {@link #aGuestIsToldOfItselfAlone} counts. */
    @Test
    void pinsOfADomainGoToItsDeviceDomain() throws Exception {
        List<Fd> announced = DomainCalls.descriptors(machine, guest, true);
        machine.frames().freeAll(GUEST);
        List<Fd> freedMeanwhile = DomainCalls.descriptors(machine, guest, true);

        assertThat(announced).hasSize(2);
        assertThat(freedMeanwhile).isEmpty();
        announced.forEach(Fd::close);
    }

    @Test
    void aGreetingIsAnsweredWhenTheBackendHasConsented() throws Exception {
        DomainRecord late = add(LATE, "late", DomainKind.GUEST, "hv0");
        HypercallRequest.Builder hello = request().setHello(HelloCall.getDefaultInstance());

        long greeting = caller.send(new DomainCalls(machine, late), hello);

        // What is asked after it is answered before it.
        assertThat(call(late, request().setReady(ReadyCall.getDefaultInstance()))
                        .getStatus())
                .isZero();
        assertThat(late.connectedMillis).isZero();
        late.admitted.complete(null);
        HypercallReply reply = caller.next();
        assertThat(reply.getId()).isEqualTo(greeting);
        assertThat(reply.getBoot().getName()).isEqualTo("late");
        assertThat(late.connectedMillis).isPositive();
    }

    @Test
    void eventsComeInPairsBehindTheMemory() throws IOException {
        HypercallRequest.Builder hello = request().setHello(HelloCall.getDefaultInstance());
        guest.doorbell = EventFd.create();
        call(guest, hello);
        assertThat(caller.descriptors()).isOne();

        guest.event = EventFd.create();
        call(guest, hello);
        assertThat(caller.descriptors()).isEqualTo(3);

        machine.frames().freeAll(GUEST);
        call(guest, hello);
        assertThat(caller.descriptors()).isEqualTo(2);
        guest.doorbell.close();
        guest.event.close();
    }

    @Test
    void theVerbsLogIsHandedOverOnceBehindAllElse() throws IOException {
        HypercallRequest.Builder hello = request().setHello(HelloCall.getDefaultInstance());
        guest.verbsLog = Pipe.create().writeEnd();

        call(guest, hello);
        assertThat(caller.descriptors()).isEqualTo(2);
        assertThat(guest.verbsLog).isNull();

        call(guest, hello);
        assertThat(caller.descriptors()).isOne();
    }

    @Test
    void theBackendIsToldHowLargeTheMachineIs() throws IOException {
        HypercallReply reply = call(backend, request().setHello(HelloCall.getDefaultInstance()));

        assertThat(reply.getBoot().getSettingsMap())
                .containsEntry(
                        BackendHypercallClient.MACHINE_FRAMES,
                        Long.toString(machine.frames().machineFrames()));
        assertThat(reply.getBoot().getRamCount()).isZero();
    }

    @Test
    void theBackendHasASecondSocketForAsLongAsItsFirst() throws IOException {
        var _ = call(backend, request().setHello(HelloCall.getDefaultInstance()));
        assertThat(caller.descriptors()).isOne();

        new DomainCalls(machine, backend).connectionLost(caller.connection());

        String thread = "hypercalls-sync-" + backend.name();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(one -> one.getName().equals(thread)));
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aGrantIsMappedByItsDomain(boolean readOnly) throws Exception {
        Extent page = frames(BACKEND, FrameKind.UAR, 1);
        Grant grant = machine.grants().grant(page, GUEST, readOnly);

        HypercallReply reply = call(guest, mapGrant(grant.reference()));

        assertThat(reply.getMapped().getExtent().getFirstMachineFrame()).isEqualTo(page.firstMachineFrame());
        assertThat(reply.getMapped().getReadOnly()).isEqualTo(readOnly);
        assertThat(caller.descriptors()).isOne();
    }

    @Test
    void aGrantOfOthersIsNone() throws Exception {
        Extent page = frames(BACKEND, FrameKind.UAR, 1);
        Grant grant = machine.grants().grant(page, OTHER, false);

        for (long reference : new long[] {grant.reference(), 0, -1, grant.reference() + 1}) {
            expect(guest, mapGrant(reference), VerbsStatus.ENOENT);
        }
        expect(backend, mapGrant(grant.reference()), VerbsStatus.ENOENT);
    }

    @Test
    void aGrantOfFramesThatWereFreedIsNone() throws Exception {
        Extent page = frames(BACKEND, FrameKind.UAR, 1);
        Grant grant = machine.grants().grant(page, GUEST, false);
        machine.frames().freeAll(BACKEND);

        expect(guest, mapGrant(grant.reference()), VerbsStatus.ENOENT);
        Extent again = frames(OTHER, FrameKind.RAM, 1);
        assertThat(again.firstMachineFrame()).isEqualTo(page.firstMachineFrame());
        expect(guest, mapGrant(grant.reference()), VerbsStatus.ENOENT);
    }

    /** Without its connection the backend is of no use, and ends; a guest may go on. */
    @Test
    void aLostConnectionEndsTheBackendAlone() throws Exception {
        Process ofGuest = new ProcessBuilder("sleep", "600").start();
        Process ofBackend = new ProcessBuilder("sleep", "600").start();
        try {
            guest.process = new DomainProcess(ofGuest, null);
            backend.process = new DomainProcess(ofBackend, null);

            new DomainCalls(machine, guest).connectionLost(caller.connection());
            assertThat(ofBackend.isAlive()).isTrue();
            new DomainCalls(machine, backend).connectionLost(caller.connection());

            assertThat(ofBackend.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(ofGuest.isAlive()).isTrue();
        } finally {
            ofGuest.destroyForcibly();
            ofBackend.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GUEST, a, true",
        "GUEST, A9_.-x, true",
        "GUEST, backend, false",
        "GUEST, tool, false",
        "GUEST, vmm, false",
        "GUEST, -a, false",
        "GUEST, .a, false",
        "GUEST, a/b, false",
        "GUEST, '', false",
        "GUEST, 'a b', false",
        "NATIVE, backend, false",
        "NATIVE, n, true",
        "BACKEND, backend, true",
        "BACKEND, hv1, true",
        "BACKEND, vmm, false",
    })
    void namesAreFoldersAndNobodyElses(DomainKind kind, String name, boolean fits) {
        if (fits) {
            assertThatCode(() -> DomainNames.check(name, kind)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> DomainNames.check(name, kind)).isInstanceOf(MachineException.class);
        }
    }

    @Test
    void namesHaveAtMost64Characters() {
        assertThatCode(() -> DomainNames.check("a".repeat(64), DomainKind.GUEST))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> DomainNames.check("a".repeat(65), DomainKind.GUEST))
                .isInstanceOf(MachineException.class);
    }

    @Test
    void aCallThatFailsInTheVmmIsAnsweredAndEndsNothing() throws Exception {
        // A placement that is none: what says ready cannot be placed.
        DomainRecord odd = new DomainRecord(GUEST, spec("nonsense"), guest.hca(), guest.folder(), 0, new byte[] {7}, 0);

        expect(odd, request().setReady(ReadyCall.getDefaultInstance()), VerbsStatus.EIO);
        expect(guest, request().setReady(ReadyCall.getDefaultInstance()), VerbsStatus.SUCCESS);
    }

    @Test
    void whatCannotBeServedStopsItsDomainAndSaysWhy() {
        new DomainCalls(machine, guest).failed(new OutOfMemoryError("no thread"));

        assertThat(guest.message).contains("failed to serve its hypercalls", "no thread");
        assertThat(guest.ready).isCompletedExceptionally();
        assertThat(other.ready).isNotDone();
    }

    @Test
    void aGuestHasMemoryForExecutablesBehindItsOwn() throws Exception {
        Extent first = machine.frames().allocate(GUEST, FrameKind.RAM, 2);
        Extent second = machine.frames().allocate(GUEST, FrameKind.RAM, 3);
        guest.executables = List.of(first, second);

        BootReply boot =
                call(guest, request().setHello(HelloCall.getDefaultInstance())).getBoot();

        assertThat(boot.getRamCount()).isOne();
        assertThat(boot.getExecutablesList()).containsExactly(WireExtents.of(first), WireExtents.of(second));
        assertThat(guest.report().memoryBytes()).isEqualTo((4 + 2 + 3) * 4096L);
    }

    private DomainSpec spec(String core) {
        DomainSpec usual = guest.spec();
        return new DomainSpec(
                usual.name(),
                usual.kind(),
                usual.memoryBytes(),
                usual.classPath(),
                usual.startArchive(),
                usual.jvmOptions(),
                usual.mainClass(),
                usual.args(),
                Map.of(CorePlacement.SETTING, core));
    }
}
