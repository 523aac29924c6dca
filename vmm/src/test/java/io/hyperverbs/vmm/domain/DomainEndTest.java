package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.AcknowledgeNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.NextNoticeCall;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ends that the backend acknowledges late, or not; the clock stands still unless it is moved. */
@Timeout(60)
class DomainEndTest extends CallsFixture {
    private static final Set<DomainState> ENDED = Set.of(DomainState.SHUT_DOWN, DomainState.CRASHED);
    private static final long WAIT = Duration.ofSeconds(30).toNanos();
    private static final long LATE = Duration.ofSeconds(11).toNanos();
    private static final LetGo.Limits LIMITS = new LetGo.Limits(
            Duration.ofSeconds(10).toNanos(), Duration.ofSeconds(30).toNanos(), 1, 1, 1);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger taken = new AtomicInteger();
    private NoticeQueue notices;
    private DomainEnd end;

    @BeforeEach
    void begin() {
        notices = new NoticeQueue(nanos::get);
        LetGo letGo = new LetGo(
                notices,
                machine.table(),
                () -> {
                    taken.incrementAndGet();
                    notices.backendGone();
                },
                LIMITS,
                nanos::get);
        end = new DomainEnd(machine, domain -> letGo);
        for (DomainRecord domain : new DomainRecord[] {guest, other}) {
            domain.announced = true;
            machine.table().move(domain, DomainState.RUNNING);
        }
    }

    /** What the backend gets to see next. */
    private NoticeReply take() throws Exception {
        notices.ask(caller.connection(), 1);
        HypercallReply reply = caller.next();
        return reply.getNotice();
    }

    private void answer(NoticeReply notice, VerbsStatus status) {
        assertThat(notices.acknowledge(notice.getNotice(), new NoticeQueue.Acknowledgement(status, "words", null)))
                .isTrue();
    }

    private NoticeReply takeRemoved(DomainRecord domain) throws Exception {
        NoticeReply notice = take();
        assertThat(notice.getRemoved().getDomain()).as("%s", notice).isEqualTo(domain.id());
        return notice;
    }

    private void awaitWithheld(DomainRecord domain, String why) throws Exception {
        assertThat(machine.table().await(domain, ENDED, WAIT, () -> domain.withheld))
                .isFalse();
        assertThat(domain.message).isEqualTo("not let go by the device domain: " + why);
    }

    private long framesOf(DomainRecord domain) {
        return machine.frames().ownedBy(domain.id()).stream()
                .mapToLong(extent -> extent.frames())
                .sum();
    }

    @Test
    void whatTheBackendKeepsStaysReservedUntilItLetsGo() throws Exception {
        end.begin(guest);
        answer(takeRemoved(guest), VerbsStatus.EBUSY);
        awaitWithheld(guest, "words");

        assertThat(machine.table().stateOf(guest)).isEqualTo(DomainState.DYING);
        assertThat(framesOf(guest)).isEqualTo(4);
        NoticeReply again = takeRemoved(guest);
        assertThat(framesOf(guest)).isEqualTo(4);
        answer(again, VerbsStatus.SUCCESS);

        assertThat(machine.table().await(guest, ENDED, WAIT, () -> false)).isTrue();
        assertThat(framesOf(guest)).isZero();
        assertThat(guest.message).isEmpty();
        assertThat(machine.table().stateOf(guest)).isEqualTo(DomainState.SHUT_DOWN);
        assertThat(taken).hasValue(0);
    }

    @Test
    void oneDomainsEndThatIsNotAcknowledgedEndsNobodyElse() throws Exception {
        end.begin(guest);
        NoticeReply never = takeRemoved(guest);
        for (int i = 0; i < 100; i++) {
            nanos.addAndGet(LATE);
            NoticeReply probe = take();
            assertThat(probe.getSessionAsked().getDomain()).isZero();
            answer(probe, VerbsStatus.ENOENT);
        }
        awaitWithheld(guest, "no answer yet");
        end.begin(other);
        NoticeReply next = take();
        while (next.hasSessionAsked()) {
            answer(next, VerbsStatus.ENOENT);
            next = take();
        }
        assertThat(next.getRemoved().getDomain()).isEqualTo(OTHER);
        answer(next, VerbsStatus.SUCCESS);

        assertThat(machine.table().await(other, ENDED, WAIT, () -> false)).isTrue();
        assertThat(taken).hasValue(0);
        assertThat(framesOf(guest)).isEqualTo(4);
        answer(never, VerbsStatus.SUCCESS);
        assertThat(machine.table().await(guest, ENDED, WAIT, () -> false)).isTrue();
        assertThat(framesOf(guest)).isZero();
    }

    @Test
    void timeCountsFromTheMomentTheBackendTookTheNotice() throws Exception {
        end.begin(guest);
        NoticeReply removed = takeRemoved(guest);
        NoticeQueue.Sent queued = notices.send(NoticeReply.newBuilder(), List.of());
        nanos.addAndGet(5);

        assertThat(queued.isTaken()).isFalse();
        assertThat(queued.nanosWaiting(nanos.get())).isEqualTo(5);
        NoticeReply second = take();
        assertThat(queued.isTaken()).isTrue();
        assertThat(queued.nanosWaiting(nanos.get())).isZero();
        answer(second, VerbsStatus.SUCCESS);
        answer(removed, VerbsStatus.SUCCESS);
        assertThat(machine.table().await(guest, ENDED, WAIT, () -> false)).isTrue();
    }

    @Test
    void aBackendThatAnswersNobodyIsTakenForDead() throws Exception {
        end.begin(guest);
        var _ = takeRemoved(guest);
        nanos.addAndGet(LATE);
        NoticeReply probe = take();
        assertThat(probe.getSessionAsked().getDomain()).isZero();
        assertThat(taken).hasValue(0);

        nanos.addAndGet(3 * LATE);

        assertThat(machine.table().await(guest, ENDED, WAIT, () -> false)).isTrue();
        assertThat(taken).hasValue(1);
        assertThat(framesOf(guest)).isZero();
    }

    @Test
    void aBackendThatTakesNoNoticesIsTakenForDeadAsWell() throws Exception {
        end.begin(guest);

        await().until(() -> nanos.addAndGet(LATE) > 0 && taken.get() > 0);

        assertThat(machine.table().await(guest, ENDED, WAIT, () -> false)).isTrue();
        assertThat(taken).hasValue(1);
    }

    @Test
    void stoppingADomainThatIsNotLetGoSaysSo() throws Exception {
        end.begin(guest);
        answer(takeRemoved(guest), VerbsStatus.EBUSY);
        awaitWithheld(guest, "words");

        assertThatThrownBy(() -> machine.stop("a", 0))
                .isInstanceOf(MachineException.class)
                .hasMessageContaining("not let go by the device domain: words");
        answer(takeRemoved(guest), VerbsStatus.SUCCESS);
        assertThat(machine.table().await(guest, ENDED, WAIT, () -> false)).isTrue();
    }

    @Test
    void theEndOfADomainNeedsNoNewThread() throws Exception {
        ReserveThreads reserve = new ReserveThreads((name, work) -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            reserve.run("end", () -> {
                if (ran.incrementAndGet() < 5) {
                    throw new InternalError("planted");
                }
            });
        }

        await().until(() -> ran.get() == 10);
    }

    private static HypercallRequest.Builder next() {
        return HypercallRequest.newBuilder().setNextNotice(NextNoticeCall.getDefaultInstance());
    }

    @Test
    void theMachinesOwnBackendIsAskedInTheSameWay() throws Exception {
        machine.processEnded(other, 3);
        long _ = caller.send(new DomainCalls(machine, backend), next());
        NoticeReply removed = caller.next().getNotice();
        assertThat(removed.getRemoved().getDomain()).isEqualTo(OTHER);

        expect(
                backend,
                HypercallRequest.newBuilder()
                        .setAcknowledgeNotice(AcknowledgeNoticeCall.newBuilder().setNotice(removed.getNotice())),
                VerbsStatus.SUCCESS);

        assertThat(machine.table().await(other, ENDED, WAIT, () -> false)).isTrue();
        assertThat(machine.table().stateOf(other)).isEqualTo(DomainState.CRASHED);
    }
}
