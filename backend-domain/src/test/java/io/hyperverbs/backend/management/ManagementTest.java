package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.BenchFixture;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The timer, and sessions that are not there. */
class ManagementTest extends BenchFixture {
    private static final long RESPONSE_NANOS = 1_000_000;

    private final AtomicLong nowNanos = new AtomicLong();
    private final AtomicReference<Thread> timer = new AtomicReference<>();
    private final Management timed = new Management(PortSettings.standard(1, 2048), this::now);
    private CmEnd end;

    @BeforeEach
    void setUp() {
        end = CmEnd.open(bench, 1);
    }

    @AfterEach
    void tearDown() {
        timed.close();
    }

    @Test
    void timerEndsWhatHasWaitedLongEnough() throws Refusal {
        Session session = end.session();
        timed.start().open(session);
        ContextObject context = session.contexts().get(end.objects().context());
        long channel = timed.createChannel(session, context);
        long called = timed.createChannel(session, context);
        var _ = timed.listen(session, new ManagementRequest.Listen(called, CmEnd.SERVICE, 1));
        List<CmNotice> told = new ArrayList<>();

        // The second call begins when the timer has nothing more to wait for.
        for (int call = 1; call <= 2; call++) {
            told.clear();
            long out = resolve(session, channel);
            timed.connect(session, request(out));
            await().until(this::timerWaitsForATime);
            assertThat(take(session, channel)).isEmpty();
            nowNanos.addAndGet(RESPONSE_NANOS);

            await().until(() -> told.addAll(take(session, channel)));

            assertThat(told)
                    .singleElement()
                    .extracting(CmNotice::type, CmNotice::status, CmNotice::connection)
                    .containsExactly(CmEvent.Type.UNREACHABLE, VerbsStatus.ETIMEDOUT, out);
        }

        timed.close();
        await().until(() -> !timer.get().isAlive());
    }

    @Test
    void sessionThatIsOverHasNothingAndMayAskNothing() {
        Session session = end.session();
        end.die();

        assertThat(bench.management.used(session, QuotaKind.CM)).isZero();
        assertThat(bench.management.ids(session, 0, 1)).isEmpty();
        assertThatThrownBy(() -> bench.management.take(session, end.channel()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("session of d1 was not opened");
        // Over is over.
        bench.management.end(session);
        assertThat(bench.management.size(session)).isZero();
    }

    private long now() {
        if (Thread.currentThread().getName().equals("cm-timer")) {
            timer.set(Thread.currentThread());
        }
        return nowNanos.get();
    }

    private boolean timerWaitsForATime() {
        Thread thread = timer.get();
        return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
    }

    private ManagementRequest.Connect request(long connection) {
        return new ManagementRequest.Connect(
                connection, CmEnd.SERVICE, end.offer(QpType.RC), RESPONSE_NANOS, PrivateData.none());
    }

    /** To the session's own listener. */
    private long resolve(Session session, long channel) throws Refusal {
        ManagementReply reply = timed.resolve(session, new ManagementRequest.Resolve(channel, Destination.guest("d1")));
        return ((ManagementReply.Resolved) reply).connection();
    }

    private List<CmNotice> take(Session session, long channel) throws Refusal {
        return ((ManagementReply.Notices) timed.take(session, channel)).notices();
    }
}
