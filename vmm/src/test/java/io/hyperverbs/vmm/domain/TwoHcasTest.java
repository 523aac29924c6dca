package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.NoticeQueue.Acknowledgement;
import io.hyperverbs.vmm.hypercall.wire.FindDomainCall;
import io.hyperverbs.vmm.hypercall.wire.GrantCall;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.LinkSetNotice;
import io.hyperverbs.vmm.hypercall.wire.NativeExitedCall;
import io.hyperverbs.vmm.hypercall.wire.NextNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.hypercall.wire.SessionReportMessage;
import io.hyperverbs.vmm.hypercall.wire.StoreWriteCall;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.store.StorePath;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two device domains in one machine: what one may ask ends at the other's guests. */
@Timeout(60)
class TwoHcasTest extends CallsFixture {
    private static final int SECOND = 5;
    private static final int FAR = 6;
    private static final Set<DomainState> ENDED = Set.of(DomainState.SHUT_DOWN, DomainState.CRASHED);
    private static final long WAIT = Duration.ofSeconds(30).toNanos();

    private DomainRecord second;
    private DomainRecord far;

    @BeforeEach
    void addSecondHca() throws MachineException {
        second = add(SECOND, "hv1", DomainKind.BACKEND, "hv1");
        far = add(FAR, "far", DomainKind.GUEST, "hv1");
        far.ram = machine.frames().allocate(FAR, FrameKind.RAM, 4);
    }

    @AfterEach
    void freeFrames() {
        machine.frames().freeAll(SECOND);
        machine.frames().freeAll(FAR);
    }

    private static HypercallRequest.Builder request() {
        return HypercallRequest.newBuilder();
    }

    @Test
    void grantsPagesToItsOwnGuestsOnly() throws Exception {
        Extent page = frames(SECOND, FrameKind.UAR, 1);
        GrantCall.Builder grant = GrantCall.newBuilder().setFirstMachineFrame(page.firstMachineFrame());

        expect(second, request().setGrant(grant.setToDomain(GUEST)), VerbsStatus.ENOENT);
        assertThat(call(second, request().setGrant(grant.setToDomain(FAR))).hasGrant())
                .isTrue();
    }

    @Test
    void speaksForItsOwnNativeDomainsOnly() throws Exception {
        expect(second, request().setNativeExited(NativeExitedCall.newBuilder().setDomain(NATIVE)), VerbsStatus.ENOENT);
        expect(
                second,
                request()
                        .setStoreWrite(StoreWriteCall.newBuilder()
                                .setKey("k")
                                .setValue("v")
                                .setOnBehalfOf(NATIVE)),
                VerbsStatus.EPERM);

        assertThat(nativeDomain.nativeExited).isFalse();
        assertThat(machine.store().read(new StorePath("n", "k"))).isEmpty();
    }

    @Test
    void noticesGoToTheHcaTheyConcern() throws Exception {
        long asked = caller.send(
                new DomainCalls(machine, second), request().setNextNotice(NextNoticeCall.getDefaultInstance()));

        var _ = backend.hca().notices().send(NoticeReply.newBuilder(), List.of());
        var toSecond = second.hca().notices().send(NoticeReply.newBuilder(), List.of());

        assertThat(caller.next().getId()).isEqualTo(asked);
        assertThat(toSecond.isTaken()).isTrue();
    }

    @Test
    void findsGuestsWhereverTheyAre() throws Exception {
        HypercallReply found = call(
                backend, request().setFindDomain(FindDomainCall.newBuilder().setName("far")));

        assertThat(found.getDomainPlace().getDomain()).isEqualTo(FAR);
        assertThat(found.getDomainPlace().getHca()).isEqualTo("hv1");
        for (String none : List.of("nobody", "hv1", "backend")) {
            expect(backend, request().setFindDomain(FindDomainCall.newBuilder().setName(none)), VerbsStatus.ENOENT);
        }
        expect(guest, request().setFindDomain(FindDomainCall.newBuilder().setName("far")), VerbsStatus.EPERM);
    }

    @Test
    void doesNotFindGuestsThatHaveEnded() throws Exception {
        machine.table().move(far, DomainState.DYING);
        machine.table().move(far, DomainState.CRASHED);

        expect(backend, request().setFindDomain(FindDomainCall.newBuilder().setName("far")), VerbsStatus.ENOENT);
    }

    @Test
    void servesNoCallsOfOtherDomains() {
        HypercallRequest write =
                request().setStoreWrite(StoreWriteCall.getDefaultInstance()).build();

        assertThatThrownBy(() -> new BackendCalls(machine, backend).serve(write, null))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theEndOfOneDeviceDomainEndsItsGuestsAndNoOthers() throws Exception {
        for (DomainRecord domain : List.of(backend, guest, second, far)) {
            machine.table().move(domain, DomainState.RUNNING);
        }
        DomainRecord hosted = add(7, "hosted", DomainKind.NATIVE, "hv1");
        machine.table().move(hosted, DomainState.RUNNING);

        machine.processEnded(second, 137);

        assertThat(machine.table().await(second, ENDED, WAIT, () -> false)).isTrue();
        assertThat(machine.table().await(hosted, ENDED, WAIT, () -> false)).isTrue();
        assertThat(hosted.exitCode).isEqualTo(137);
        for (DomainRecord lost : List.of(far, hosted)) {
            assertThat(lost.message).isEqualTo("its HCA hv1 is gone: the device domain ended with exit code 137");
        }
        assertThat(far.ready).isCompletedExceptionally();
        assertThat(guest.message).isEmpty();
        assertThat(guest.ready).isNotDone();
        assertThat(machine.table().stateOf(backend)).isEqualTo(DomainState.RUNNING);
        assertThat(machine.table().stateOf(guest)).isEqualTo(DomainState.RUNNING);
    }

    @Test
    void anHcaHasOneDeviceDomainAtATime() throws Exception {
        assertThatThrownBy(() -> machine.hcas().add("hv1"))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EBUSY));
        machine.table().move(second, DomainState.DYING);
        machine.table().move(second, DomainState.CRASHED);

        assertThat(machine.hcas().add("hv1")).isNotSameAs(second.hca());
    }

    @Test
    void ofSeveralHcasOneHasToBeNamed() throws Exception {
        assertThat(machine.hcas().find("hv1")).isSameAs(second.hca());
        assertThatThrownBy(() -> machine.setPort("", 1, false)).hasMessage("which HCA: hv0 or hv1");
        assertThatThrownBy(() -> machine.setPort("hv2", 1, false)).hasMessage("no HCA hv2");
        assertThatThrownBy(() -> machine.hcas().add("a/b")).isInstanceOf(MachineException.class);
        assertThatThrownBy(() -> machine.hcas().running("hv1")).hasMessage("the device domain of HCA hv1 does not run");
    }

    private static void answer(DomainRecord deviceDomain, VerbsStatus status, String message) {
        deviceDomain
                .hca()
                .notices()
                .acknowledge(1, new Acknowledgement(status, message, SessionReportMessage.getDefaultInstance()));
    }

    /** Sets a link on a thread of its own, as the caller waits for both ends. */
    private CompletableFuture<Void> setLink(String settings) {
        return CompletableFuture.runAsync(() -> {
            try {
                machine.setLink("hv0", "hv1", settings);
            } catch (MachineException e) {
                throw new CompletionException(e);
            }
        });
    }

    private NoticeReply awaitNotice(DomainRecord deviceDomain) throws Exception {
        caller.send(
                new DomainCalls(machine, deviceDomain), request().setNextNotice(NextNoticeCall.getDefaultInstance()));
        return caller.next().getNotice();
    }

    @Test
    void aLinkIsSetWhenBothEndsHaveIt() throws Exception {
        CompletableFuture<Void> set = setLink("loss=1%");

        LinkSetNotice atFirst = awaitNotice(backend).getLinkSet();
        LinkSetNotice atSecond = awaitNotice(second).getLinkSet();
        answer(second, VerbsStatus.SUCCESS, "");
        assertThat(set).isNotDone();
        answer(backend, VerbsStatus.SUCCESS, "");

        assertThat(set).succeedsWithin(Duration.ofSeconds(30));
        assertThat(List.of(atFirst.getNeighbour(), atFirst.getSettings())).containsExactly("hv1", "loss=1%");
        assertThat(List.of(atSecond.getNeighbour(), atSecond.getSettings())).containsExactly("hv0", "loss=1%");
    }

    /** The other end is on another host, whose VMM sets it. */
    @Test
    void ofALinkToAnotherHostThisEndIsSet() throws Exception {
        CompletableFuture<Void> set = CompletableFuture.runAsync(() -> {
            try {
                machine.setLink("hv7", "hv1", "loss=1%");
            } catch (MachineException e) {
                throw new CompletionException(e);
            }
        });

        LinkSetNotice notice = awaitNotice(second).getLinkSet();
        answer(second, VerbsStatus.SUCCESS, "");

        assertThat(set).succeedsWithin(Duration.ofSeconds(30));
        assertThat(List.of(notice.getNeighbour(), notice.getSettings())).containsExactly("hv7", "loss=1%");
    }

    @Test
    void ofALinkThatIsNotSetEachEndSaysWhy() throws Exception {
        CompletableFuture<Void> set = setLink("loss=1%");
        awaitNotice(backend);
        awaitNotice(second);

        answer(backend, VerbsStatus.SUCCESS, "");
        answer(second, VerbsStatus.ENOENT, "no link to hv0");

        assertThat(set)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withMessageContaining("hv0: has the new settings; hv1: no link to hv0");
    }

    @Test
    void anEndThatIsGoneOrSilentIsNamed() {
        second.hca().notices().backendGone();
        LinkChange link = new LinkChange(backend.hca(), second.hca());

        assertThatThrownBy(() -> link.set("down=true", 1))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.ETIMEDOUT))
                .hasMessage("hv0: the backend does not answer; hv1: the backend domain is gone");
    }

    @Test
    void whoIsInterruptedDoesNotWaitForTheEndsOfALink() {
        LinkChange link = new LinkChange(backend.hca(), second.hca());
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> link.set("none", LinkChange.ANSWER_MILLIS)).hasMessage("interrupted");

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aLinkIsBetweenHcasThatAreThere() {
        assertThatThrownBy(() -> machine.setLink("hv7", "hv8", "none"))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.ENOENT))
                .hasMessage("no HCA hv7 and no HCA hv8");
    }
}
