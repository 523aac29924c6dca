package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.Leftovers;
import io.hyperverbs.backend.session.QueueMemory;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.RingObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which memory a queue gets, and that it is let go of exactly once. */
class QueueMemoriesTest extends SessionFixture {
    private static final long PAGE = FrameRun.FRAME_BYTES;

    private final Undo undo = new Undo(new Leftovers());
    private QueueMemories memories;

    @BeforeEach
    void openMemories() {
        memories = new QueueMemories(bench.services);
    }

    private ContextObject context(long handle) {
        ContextObject context = session.contexts().get(handle);
        assertThat(context).isNotNull();
        return context;
    }

    private RingObject ring(SessionObjects own, int frames) {
        long handle = bench.ring(session, own.context(), frames * PAGE, List.of(bench.frames(session, 40, frames)));
        RingObject ring = session.rings().get(handle);
        assertThat(ring).isNotNull();
        return ring;
    }

    private Refusal refused(long context, long ring, long neededBytes) {
        return catchThrowableOfType(Refusal.class, () -> memories.check(session, context(context), ring, neededBytes));
    }

    @Test
    void forwardedQueueHasNoRingOfTheDomain() throws Refusal {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.FORWARDED);

        assertThat(memories.check(session, context(own.context()), 0, PAGE)).isNull();
        assertThat(refused(own.context(), 1, PAGE).words()).isEqualTo("a forwarded queue has no ring of the domain");
    }

    @Test
    void ringHoldsAsManyBytesAsItHas() throws Refusal {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        RingObject ring = ring(own, 2);

        assertThat(memories.check(session, context(own.context()), ring.handle(), 2 * PAGE))
                .isSameAs(ring);
        assertThat(refused(own.context(), ring.handle(), 2 * PAGE + 1).words())
                .isEqualTo("ring of 8192 bytes, needs 8193");
        assertThat(refused(own.context(), 0, PAGE).words()).isEqualTo("no such ring");
        assertThat(ring.references()).isZero();
    }

    @Test
    void ringOfAnotherQueueIsBusyUntilThatIsUndone() throws Refusal {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        RingObject ring = ring(own, 1);

        QueueMemory memory = memories.take(session, ring, PAGE, undo);

        assertThat(memory).isEqualTo(new QueueMemory.OfDomain(ring));
        assertThat(ring.references()).isEqualTo(1);
        assertThat(refused(own.context(), ring.handle(), PAGE).status()).isEqualTo(VerbsStatus.EBUSY);
        undo.run();
        assertThat(ring.references()).isZero();
    }

    @Test
    void ringIsFreeAgainAfterItsQueue() throws Refusal {
        RingObject ring = ring(SessionObjects.create(bench, session, DataPathKind.BYPASS), 1);

        memories.release(session, memories.take(session, ring, PAGE, undo));

        assertThat(ring.references()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "4095, 1", "4096, 1", "4097, 2", "8192, 2", "8193, 3"})
    void freshFramesAreAsManyAsTheQueueNeeds(long neededBytes, int frames) throws Refusal {
        int before = bench.machine.counters().extents();

        QueueMemory memory = memories.take(session, null, neededBytes, undo);

        assertThat(memory).isInstanceOfSatisfying(QueueMemory.OfBackend.class, ofBackend -> {
            assertThat(ofBackend.extent().frames()).isEqualTo(frames);
            assertThat(ofBackend.machineAddress()).isEqualTo(ofBackend.extent().firstMachineFrame() * PAGE);
        });
        assertThat(bench.machine.counters().extents()).isEqualTo(before + 1);
        undo.run();
        assertThat(bench.machine.counters().extents()).isEqualTo(before);
    }

    @Test
    void freshFramesGoWithTheirQueue() throws Refusal {
        int before = bench.machine.counters().extents();

        memories.release(session, memories.take(session, null, PAGE, undo));

        assertThat(bench.machine.counters().extents()).isEqualTo(before);
    }

    @Test
    void aForwardedQueueIsCheckedAgainstItsMostAndTheQuota() throws Refusal {
        Session rich = bench.session(7, Map.of("quota.backing", Long.toString(64L << 20)));
        SessionObjects own = SessionObjects.create(bench, rich, DataPathKind.FORWARDED);
        ContextObject context = rich.contexts().get(own.context());
        assertThat(context).isNotNull();
        long most = QueueMemories.MAX_FORWARDED_BYTES;

        assertThat(memories.check(rich, context, 0, most)).isNull();
        assertThat(catchThrowableOfType(Refusal.class, () -> memories.check(rich, context, 0, most + 1))
                        .status())
                .isEqualTo(VerbsStatus.ENOMEM);

        long left = rich.quota().max(QuotaKind.BACKING) - rich.quota().used(QuotaKind.BACKING);
        rich.quota().take(QuotaKind.BACKING, left);
        assertThat(catchThrowableOfType(Refusal.class, () -> memories.check(rich, context, 0, PAGE))
                        .status())
                .isEqualTo(VerbsStatus.EAGAIN);
    }

    @Test
    void whatIsTakenBackIsNotChargedAnyMore() throws Refusal {
        long before = session.quota().used(QuotaKind.BACKING);

        var _ = memories.take(session, null, PAGE, undo);
        assertThat(session.quota().used(QuotaKind.BACKING)).isEqualTo(before + PAGE);
        undo.run();

        assertThat(session.quota().used(QuotaKind.BACKING)).isEqualTo(before);
    }

    @Test
    void nothingIsTakenWhenTheMachineRefuses() {
        bench.faults.failCall(1);

        Refusal refusal = catchThrowableOfType(Refusal.class, () -> memories.take(session, null, PAGE, undo));

        assertThat(refusal.status()).isEqualTo(VerbsStatus.EIO);
        assertThat(refusal.words()).startsWith("ring memory: ");
        int extents = bench.machine.counters().extents();
        undo.run();
        assertThat(bench.machine.counters().extents()).isEqualTo(extents);
    }
}
