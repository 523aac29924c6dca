package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the device domain takes of the machine for a domain is charged to the domain. */
class BackingTest extends SessionFixture {
    /** 65 536 requests of 30 segments: what a hostile guest asked for 40 times. */
    private static final QpLimits WIDEST = QpLimits.of(65_536, 65_536).withSge(30, 30);

    @Test
    void bypassGuestOpensNoForwardedContext() {
        Session guest = bench.session(3, Map.of("path", "bypass"));
        FakeMachine.Counters before = bench.machine.counters();

        ControlReply.Refused forwarded = refusedContext(guest, DataPathKind.FORWARDED);
        ControlReply.Refused unary = refusedContext(guest, DataPathKind.FORWARDED_UNARY);

        assertThat(forwarded.status()).isEqualTo(VerbsStatus.EPERM);
        assertThat(forwarded.message()).isEqualTo("data path forwarded: the topology gives this domain path: bypass");
        assertThat(unary.status()).isEqualTo(VerbsStatus.EPERM);
        assertThat(bench.machine.counters()).isEqualTo(before);
        bench.context(guest, DataPathKind.BYPASS);
    }

    @Test
    void forwardedQueuesEndAtTheQuota() {
        long quotaBytes = 1 << 20;
        Session guest = bench.session(3, Map.of("quota.backing", "" + quotaBytes));
        SessionObjects own = SessionObjects.create(bench, guest, DataPathKind.FORWARDED);
        ControlRequest queue = queuePair(own, QpLimits.of(1024, 1024));

        ControlReply reply = bench.call(guest, queue);
        while (reply instanceof ControlReply.QpCreated) {
            reply = bench.call(guest, queue);
        }

        assertThat(((ControlReply.Refused) reply).status()).isEqualTo(VerbsStatus.EAGAIN);
        assertThat(((ControlReply.Refused) reply).message())
                .matches("quota backing: [0-9.]+ of 1 MiB in use, [0-9.]+ more asked for");
        assertThat(guest.quota().used(QuotaKind.BACKING)).isBetween(quotaBytes / 2, quotaBytes);
    }

    @Test
    void oneQueueTakesNoMoreThanAQueueMay() {
        Session guest = bench.session(3, Map.of("quota.backing", "" + (1L << 40)));
        SessionObjects own = SessionObjects.create(bench, guest, DataPathKind.FORWARDED);
        FakeMachine.Counters before = bench.machine.counters();

        ControlReply.Refused refused = bench.refused(guest, queuePair(own, WIDEST));

        assertThat(refused.status()).isEqualTo(VerbsStatus.ENOMEM);
        assertThat(refused.message()).contains("a forwarded one may have 33554432");
        assertThat(bench.machine.counters()).isEqualTo(before);
    }

    @Test
    void allIsGivenBackWithWhatItWasTakenFor() {
        Session guest = bench.session(3, Map.of());
        SessionObjects own = SessionObjects.create(bench, guest, DataPathKind.FORWARDED);
        long before = guest.quota().used(QuotaKind.BACKING);

        bench.ok(guest, new ControlRequest.ResizeCq(own.cq(), 4096, 0, 0));
        bench.ok(guest, new ControlRequest.ResizeSrq(own.srq(), 4096, 0));
        assertThat(guest.quota().used(QuotaKind.BACKING)).isGreaterThan(before + 4096 * 32);
        bench.ok(guest, new ControlRequest.ResizeCq(own.cq(), SessionObjects.CQ_ENTRIES, 0, 0));
        bench.ok(guest, new ControlRequest.ResizeSrq(own.srq(), new SrqLimits(16, 2).receiveWr(), 0));

        assertThat(guest.quota().used(QuotaKind.BACKING)).isEqualTo(before);
        assertThat(bench.teardown.close(guest)).isZero();
        assertThat(guest.quota().used(QuotaKind.BACKING)).isZero();
        assertThat(guest.quota().used(QuotaKind.PUMP)).isZero();
    }

    @Test
    void forwardedContextsAreAsManyAsTheirThreads() {
        Session guest = bench.session(3, Map.of("quota.pump", "2"));
        bench.context(guest, DataPathKind.FORWARDED);
        long second = bench.context(guest, DataPathKind.FORWARDED);

        ControlReply.Refused third = refusedContext(guest, DataPathKind.FORWARDED);
        assertThat(third.message()).isEqualTo("quota pump: 2 of 2 in use, 1 more asked for");

        // These have no thread.
        bench.context(guest, DataPathKind.FORWARDED_UNARY);
        bench.context(guest, DataPathKind.BYPASS);
        bench.destroy(guest, io.hyperverbs.vmm.io.ObjectKind.CONTEXT, second);
        bench.context(guest, DataPathKind.FORWARDED);
    }

    private static ControlRequest queuePair(SessionObjects own, QpLimits limits) {
        return new ControlRequest.CreateQp(own.pd(), QpType.RC.code(), own.cq(), own.cq(), 0, limits);
    }

    private ControlReply.Refused refusedContext(Session guest, DataPathKind path) {
        return bench.refused(guest, new ControlRequest.OpenContext(path));
    }
}
