package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ManagementRequest.Answer.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Connections between two guests, with time passed in. */
class ConnectionsTest extends TwoEnds {
    private static final int WITHOUT_ACK_TIMEOUT = 0;

    @Test
    void requestWaitsItsTimeAndNotLonger() {
        var _ = callee.listen();
        var _ = caller.call(callee);

        bench.passMillis(CmEnd.RESPONSE_MILLIS - 1);
        assertThat(caller.take()).isEmpty();
        bench.passMillis(1);

        assertThat(caller.next(CmEvent.Type.UNREACHABLE).status()).isEqualTo(VerbsStatus.ETIMEDOUT);
        // Withdrawn before anybody read it.
        assertThat(callee.take()).isEmpty();
    }

    @Test
    void establishedConnectionHasNoTimeToKeep() {
        long in = connect();

        bench.passMillis(3_600_000);

        assertThat(caller.take()).isEmpty();
        assertThat(callee.take()).isEmpty();
        callee.done(CmEnd.answer(in, Kind.DISCONNECT));
    }

    @Test
    void timeWaitIsTwiceTheAckTimeout() {
        long in = connect();
        callee.done(CmEnd.answer(in, Kind.DISCONNECT));
        long out = caller.next(CmEvent.Type.DISCONNECTED).connection();
        caller.done(CmEnd.answer(out, Kind.DISCONNECT));
        var _ = callee.next(CmEvent.Type.DISCONNECTED);

        // 2 x 4.096 us x 2^14 is 134.2 ms.
        bench.passMillis(134);
        assertThat(caller.take()).isEmpty();
        bench.passMillis(1);

        var _ = caller.next(CmEvent.Type.TIMEWAIT_EXIT);
        var _ = callee.next(CmEvent.Type.TIMEWAIT_EXIT);
    }

    @Test
    void disconnectingAgainDoesNotLengthenTheTimeWait() {
        long in = connect();
        caller.die();
        var _ = callee.next(CmEvent.Type.DISCONNECTED);
        bench.passMillis(100);

        callee.done(CmEnd.answer(in, Kind.DISCONNECT));
        bench.passMillis(35);

        var _ = callee.next(CmEvent.Type.TIMEWAIT_EXIT);
    }

    @Test
    void fullQuotaOfTheCalleeRejectsAndHarmsNobodyElse() {
        // A channel and a listener are all it may have.
        CmEnd small = CmEnd.open(bench, 3, Map.of("quota.cm", "2"));
        var _ = small.listen();
        var _ = callee.listen();

        long out = caller.call(small);

        CmNotice rejected = caller.next(CmEvent.Type.REJECTED);
        assertThat(rejected.reject()).isEqualTo(RejectReason.NO_RESOURCES);
        assertThat(rejected.connection()).isEqualTo(out);
        assertThat(small.take()).isEmpty();
        var _ = caller.call(callee);
        var _ = callee.called();
    }

    @Test
    void timeWaitWithoutAnAckTimeoutIsTheLongest() {
        var _ = callee.listen();
        long out = caller.resolve(callee);
        CmOffer offer = caller.offer(QpType.RC);
        CmOffer patient = new CmOffer(offer.type(), offer.qpn(), 1, 4, 4, 6, 7, WITHOUT_ACK_TIMEOUT);
        caller.done(new ManagementRequest.Connect(out, CmEnd.SERVICE, patient, 1_000_000, PrivateData.none()));
        callee.done(callee.accept(callee.called()));
        var _ = caller.next(CmEvent.Type.CONNECT_RESPONSE);
        caller.done(CmEnd.answer(out, Kind.RTU));
        callee.die();
        var _ = caller.next(CmEvent.Type.DISCONNECTED);

        bench.passMillis(999);
        assertThat(caller.take()).isEmpty();
        bench.passMillis(1);

        var _ = caller.next(CmEvent.Type.TIMEWAIT_EXIT);
    }

    @Test
    void endThatWasCalledDoesNotCall() {
        var _ = callee.listen();
        var _ = caller.listen();
        var _ = caller.call(callee);
        long in = callee.called();

        assertThat(callee.refusal(callee.connect(in))).isEqualTo(VerbsStatus.EINVAL);
        // Nor once it is free again.
        callee.done(CmEnd.answer(in, Kind.REJ));
        assertThat(callee.refusal(callee.connect(in))).isEqualTo(VerbsStatus.EINVAL);
        var _ = caller.next(CmEvent.Type.REJECTED);
    }

    @Test
    void answerIsOfTheTransportOfTheCall() {
        var _ = callee.listen();
        long out = caller.resolve(callee);
        caller.done(caller.connect(out, QpType.UC));
        long in = callee.called();

        assertThat(callee.refusal(callee.accept(in, QpType.RC))).isEqualTo(VerbsStatus.EINVAL);

        callee.done(callee.accept(in, QpType.UC));
        assertThat(caller.next(CmEvent.Type.CONNECT_RESPONSE).offer().type()).isEqualTo(QpType.UC);
    }

    @Test
    void queuePairsOfOtherTransportsAreNotOffered() {
        var _ = callee.listen();
        long out = caller.resolve(callee);

        assertThat(caller.refusal(caller.connect(out, QpType.XRC_SEND))).isEqualTo(VerbsStatus.EINVAL);

        assertThat(callee.take()).isEmpty();
    }

    @Test
    void queuePairOfAnotherGuestIsNotOffered() {
        var _ = callee.listen();
        long connection = caller.resolve(callee);
        ManagementRequest.Connect own = (ManagementRequest.Connect) caller.connect(connection);

        ManagementRequest stolen = new ManagementRequest.Connect(
                connection, own.serviceId(), callee.offer(QpType.RC), own.responseNanos(), PrivateData.none());

        assertThat(caller.refusal(stolen)).isEqualTo(VerbsStatus.EINVAL);
        assertThat(callee.take()).isEmpty();
    }

    @Test
    void handlesOfAnotherGuestAreAsUnknownOnes() {
        long listener = callee.listen();
        long connection = callee.resolve(caller);
        for (long handle : new long[] {callee.channel(), listener, connection}) {
            for (ManagementRequest request : naming(handle)) {
                assertThat(caller.refused(request))
                        .as("%s", request)
                        .isEqualTo(caller.refused(replaced(request, handle)));
            }
        }
        assertThat(callee.take()).isEmpty();
    }

    @Test
    void manyEventsAreTakenInPortionsInTheirOrder() {
        int calls = 20;
        for (int i = 0; i < calls; i++) {
            var _ = caller.call(callee);
        }

        ManagementReply.Notices first =
                caller.reply(new ManagementRequest.TakeEvents(caller.channel()), ManagementReply.Notices.class);

        assertThat(first.more()).isTrue();
        assertThat(first.notices().size() + caller.take().size()).isEqualTo(calls);
    }

    /** Connects; the end that was called. */
    private long connect() {
        var _ = callee.listen();
        return CmStep.CONNECTED.reach(caller, callee).in();
    }

    private List<ManagementRequest> naming(long handle) {
        return List.of(
                new ManagementRequest.Listen(handle, CmEnd.SERVICE, 1),
                new ManagementRequest.Resolve(handle, Destination.guest("d2")),
                caller.connect(handle),
                caller.accept(handle),
                CmEnd.answer(handle, Kind.RTU),
                CmEnd.answer(handle, Kind.REJ),
                CmEnd.answer(handle, Kind.DISCONNECT),
                new ManagementRequest.TakeEvents(handle),
                new ManagementRequest.Release(handle));
    }

    private ManagementRequest replaced(ManagementRequest request, long handle) {
        int index = naming(handle).indexOf(request);
        return naming(handle ^ 1).get(index);
    }
}
