package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ManagementRequest.Answer.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A guest asks another where a service takes datagrams (SIDR_REQ and SIDR_REP, IBA 12.11). */
class ServiceResolutionTest extends ListeningEnd {
    private static final int QKEY = 0x0123_4567;
    private static final long NANOS = CmEnd.RESPONSE_MILLIS * 1_000_000;
    private static final PrivateData DATA = PrivateData.of("data");

    @Test
    void answerSaysWhichQueuePairTakesTheDatagrams() {
        long out = ask();
        CmNotice request = callee.next(CmEvent.Type.CONNECT_REQUEST);

        callee.done(reply(request.connection(), callee.qpn()));

        assertThat(request.serviceId()).isEqualTo(CmEnd.SERVICE);
        assertThat(request.offer()).isEqualTo(CmOffer.ofDatagrams(0, 0));
        assertThat(request.data()).isEqualTo(DATA);
        CmNotice answer = caller.next(CmEvent.Type.ESTABLISHED);
        assertThat(answer.connection()).isEqualTo(out);
        assertThat(answer.status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(answer.offer()).isEqualTo(CmOffer.ofDatagrams(callee.qpn(), QKEY));
        assertThat(answer.data()).isEqualTo(DATA);
        // No more than that: there is no connection to end, and the service can be asked for again.
        assertThat(callee.refusal(reply(request.connection(), callee.qpn()))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(caller.refusal(CmEnd.answer(out, Kind.DISCONNECT))).isEqualTo(VerbsStatus.EINVAL);
        caller.done(request(out, CmOffer.ofDatagrams(0, 0), DATA));
        var _ = callee.called();
    }

    /** A queue pair of datagrams answers any number of requests: none makes another stale. */
    @Test
    void severalAreAnsweredByOneQueuePair() {
        var _ = ask();
        var _ = ask();

        for (CmNotice request : callee.take()) {
            callee.done(reply(request.connection(), callee.qpn()));
        }

        assertThat(caller.take()).hasSize(2).allMatch(answer -> answer.type() == CmEvent.Type.ESTABLISHED);
    }

    @Test
    void serviceThatNobodyListensToIsUnreachable() {
        long out = caller.resolve(callee);

        caller.done(new ManagementRequest.Connect(
                out, CmEnd.SERVICE + 1, CmOffer.ofDatagrams(0, 0), NANOS, PrivateData.none()));

        var _ = expectRefused(RejectReason.INVALID_SERVICE_ID);
    }

    @Test
    void programMayRefuse() {
        var _ = ask();

        callee.done(new ManagementRequest.Answer(callee.called(), Kind.REJ, DATA));

        CmNotice refused = expectRefused(RejectReason.CONSUMER_DEFINED);
        assertThat(refused.data()).isEqualTo(DATA);
    }

    @Test
    void endThatLetsTheRequestGoRefuses() {
        var _ = ask();

        callee.done(new ManagementRequest.Release(callee.called()));

        var _ = expectRefused(RejectReason.CONSUMER_DEFINED);
    }

    @Test
    void listenerThatClosesRefusesWhatNobodyHasRead() {
        long listener = callee.reply(
                        new ManagementRequest.Listen(callee.channel(), CmEnd.SERVICE + 1, 1),
                        ManagementReply.Opened.class)
                .handle();
        caller.done(new ManagementRequest.Connect(
                caller.resolve(callee), CmEnd.SERVICE + 1, CmOffer.ofDatagrams(0, 0), NANOS, PrivateData.none()));

        callee.done(new ManagementRequest.Release(listener));

        var _ = expectRefused(RejectReason.INVALID_SERVICE_ID);
        assertThat(callee.take()).isEmpty();
    }

    @Test
    void silenceEndsInTime() {
        var _ = ask();
        long in = callee.called();

        bench.passMillis(CmEnd.RESPONSE_MILLIS);

        assertThat(caller.next(CmEvent.Type.UNREACHABLE).status()).isEqualTo(VerbsStatus.ETIMEDOUT);
        // Its answer comes too late, which nobody tells it.
        callee.done(reply(in, callee.qpn()));
        assertThat(caller.take()).isEmpty();
        assertThat(callee.take()).isEmpty();
    }

    @Test
    void requestThatIsWithdrawnUnreadIsNeverSeen() {
        long out = ask();

        caller.done(new ManagementRequest.Release(out));

        assertThat(callee.take()).isEmpty();
        assertThat(bench.management.size(callee.session())).isEqualTo(2);
    }

    @Test
    void requestThatIsWithdrawnLateIsAnsweredInVain() {
        long out = ask();
        long in = callee.called();

        caller.done(new ManagementRequest.Release(out));
        callee.done(reply(in, callee.qpn()));

        assertThat(callee.take()).isEmpty();
        assertThat(caller.take()).isEmpty();
    }

    @Test
    void deathOfTheAskedIsTold() {
        var _ = ask();
        var _ = callee.called();

        callee.die();

        assertThat(caller.next(CmEvent.Type.UNREACHABLE).status()).isEqualTo(VerbsStatus.ECONNRESET);
        assertThat(bench.management.size(callee.session())).isZero();
    }

    @Test
    void deathOfTheAskingLeavesNothing() {
        var _ = ask();
        long in = callee.called();

        caller.die();

        assertThat(callee.take()).isEmpty();
        callee.done(reply(in, callee.qpn()));
        callee.done(new ManagementRequest.Release(in));
        assertThat(bench.management.size(callee.session())).isEqualTo(2);
        assertThat(bench.management.size(caller.session())).isZero();
    }

    /** Requests that were read, and whose asker has gone, take no place in the backlog. */
    @Test
    void fullBacklogRefuses() {
        long first = ask();
        for (int i = 1; i < CmEnd.BACKLOG; i++) {
            var _ = ask();
        }
        var _ = ask();
        var _ = expectRefused(RejectReason.NO_RESOURCES);
        assertThat(callee.take()).hasSize(CmEnd.BACKLOG);

        caller.done(new ManagementRequest.Release(first));
        var _ = ask();

        var _ = callee.called();
    }

    @Test
    void queuePairOfAnotherGuestIsNotGiven() {
        var _ = ask();
        long in = callee.called();

        assertThat(callee.refusal(reply(in, caller.qpn()))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(caller.take()).isEmpty();
        callee.done(reply(in, callee.qpn()));
    }

    @Test
    void requestDescribesNoQueuePair() {
        long out = caller.resolve(callee);

        expectInvalid(request(out, CmOffer.ofDatagrams(caller.qpn(), 0), DATA));
        expectInvalid(request(out, CmOffer.ofDatagrams(0, QKEY), DATA));
        expectInvalid(request(out, new CmOffer(QpType.UD, 0, 1, 0, 0, 0, 0, 0), DATA));
        CmOffer connects = caller.offer(QpType.RC);
        expectInvalid(
                request(out, new CmOffer(QpType.RC, connects.qpn(), 1, 4, 4, 6, 7, 14, QKEY), PrivateData.none()));
        assertThat(callee.take()).isEmpty();
    }

    @Test
    void privateDataFitsItsField() {
        long out = caller.resolve(callee);
        expectInvalid(request(out, CmOffer.ofDatagrams(0, 0), bytes(PrivateData.SIDR_REQ_BYTES + 1)));
        caller.done(request(out, CmOffer.ofDatagrams(0, 0), bytes(PrivateData.SIDR_REQ_BYTES)));
        long in = callee.called();
        PrivateData tooLong = bytes(PrivateData.SIDR_REP_BYTES + 1);

        assertThat(callee.refusal(new ManagementRequest.Answer(in, Kind.REJ, tooLong)))
                .isEqualTo(VerbsStatus.EINVAL);
        assertThat(callee.refusal(
                        new ManagementRequest.Accept(in, CmOffer.ofDatagrams(callee.qpn(), QKEY), NANOS, tooLong)))
                .isEqualTo(VerbsStatus.EINVAL);
        callee.done(new ManagementRequest.Accept(
                in, CmOffer.ofDatagrams(callee.qpn(), QKEY), NANOS, bytes(PrivateData.SIDR_REP_BYTES)));
    }

    /** Who is asked where datagrams go does not connect, and who is called says no Q_Key. */
    @Test
    void answersAreOfTheKindOfTheRequest() {
        var _ = ask();
        long asked = callee.called();
        assertThat(callee.refusal(callee.accept(asked))).isEqualTo(VerbsStatus.EINVAL);
        callee.done(reply(asked, callee.qpn()));
        var _ = caller.next(CmEvent.Type.ESTABLISHED);

        var _ = caller.call(callee);
        long called = callee.called();

        assertThat(callee.refusal(reply(called, callee.qpn()))).isEqualTo(VerbsStatus.EINVAL);
        callee.done(callee.accept(called));
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"RTU", "DISCONNECT"})
    void messagesOfConnectionsAreNoAnswer(Kind kind) {
        long out = ask();
        long in = callee.called();

        assertThat(callee.refusal(CmEnd.answer(in, kind))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(caller.refusal(CmEnd.answer(out, kind))).isEqualTo(VerbsStatus.EINVAL);
    }

    private long ask() {
        long out = caller.resolve(callee);
        caller.done(request(out, CmOffer.ofDatagrams(0, 0), DATA));
        return out;
    }

    private static ManagementRequest request(long out, CmOffer offer, PrivateData data) {
        return new ManagementRequest.Connect(out, CmEnd.SERVICE, offer, NANOS, data);
    }

    private static ManagementRequest reply(long in, int qpn) {
        return new ManagementRequest.Accept(in, CmOffer.ofDatagrams(qpn, QKEY), NANOS, DATA);
    }

    private static PrivateData bytes(int length) {
        return PrivateData.of(new byte[length]);
    }

    private CmNotice expectRefused(RejectReason reason) {
        CmNotice told = caller.next(CmEvent.Type.UNREACHABLE);
        assertThat(told.status()).isEqualTo(VerbsStatus.ECONNREFUSED);
        assertThat(told.reject()).isEqualTo(reason);
        return told;
    }

    private void expectInvalid(ManagementRequest request) {
        assertThat(caller.refusal(request)).isEqualTo(VerbsStatus.EINVAL);
    }
}
