package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ManagementRequest.Answer.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Guests of two HCAs connect, reject and disconnect; the wire loses what the tests say. */
class RemoteConnectionTest extends WiredPair {
    /** Both ends of a connection by the address of the callee's HCA. */
    private CmStep.Ends connected() {
        CmStep.Ends ends = accepted();
        caller.done(CmEnd.answer(ends.out(), Kind.RTU));
        settle();
        var _ = callee.next(CmEvent.Type.ESTABLISHED);
        return ends;
    }

    private CmStep.Ends accepted() {
        long out = called();
        long in = callee.called();
        callee.done(callee.accept(in));
        settle();
        var _ = caller.next(CmEvent.Type.CONNECT_RESPONSE);
        return new CmStep.Ends(out, in);
    }

    private long called() {
        long out = resolve(farHca());
        caller.done(connect(caller, out, "hello"));
        settle();
        return out;
    }

    @Test
    void connectsByTheAddressOfAnHcaWithPrivateData() {
        long out = called();
        CmNotice request = callee.next(CmEvent.Type.CONNECT_REQUEST);
        callee.done(new ManagementRequest.Accept(
                request.connection(), callee.offer(request.offer().type()), 500_000_000, PrivateData.of("welcome")));
        settle();
        CmNotice response = caller.next(CmEvent.Type.CONNECT_RESPONSE);
        caller.done(CmEnd.answer(out, Kind.RTU));
        settle();

        assertThat(request.data().text()).startsWith("hello");
        assertThat(request.offer()).isEqualTo(caller.offer(request.offer().type()));
        assertThat(request.guest()).isEqualTo("10.0.0.1");
        assertThat(request.gid()).isEqualTo(Gid.ofIpv4(NEAR));
        assertThat(request.path().destinationGid()).isEqualTo(Gid.ofIpv4(NEAR));
        assertThat(request.path().mtuBytes()).isEqualTo(2048);
        assertThat(response.data().text()).startsWith("welcome");
        assertThat(response.offer().qpn()).isEqualTo(callee.qpn());
        var _ = callee.next(CmEvent.Type.ESTABLISHED);
    }

    @ParameterizedTest
    @EnumSource(names = {"REQ", "REP", "RTU"})
    void aMessageThatIsLostIsSentAgain(CmMessage lost) {
        nearGsi.loses = first(2, lost);
        farGsi.loses = first(2, lost);
        long out = called();
        pass(100);
        long in = callee.called();
        callee.done(callee.accept(in));
        pass(100);
        var _ = caller.next(CmEvent.Type.CONNECT_RESPONSE);
        caller.done(CmEnd.answer(out, Kind.RTU));
        pass(350);

        var _ = callee.next(CmEvent.Type.ESTABLISHED);
        assertThat(caller.take()).isEmpty();
        assertThat(count(nearGsi, lost) + count(farGsi, lost)).isGreaterThanOrEqualTo(3);
    }

    @Test
    void aCallThatComesTwiceIsOneCall() {
        CmStep.Ends ends = connected();
        farGsi.arrive(last(nearGsi, CmMessage.REQ), NEAR);
        farGsi.arrive(last(nearGsi, CmMessage.REQ), NEAR);
        settle();

        assertThat(callee.take()).isEmpty();
        assertThat(caller.take()).isEmpty();
        assertThat(ends.in()).isNotZero();
    }

    @Test
    void whoIsAskedTwiceBeforeItAnswersSaysThatItIsAtIt() {
        var _ = called();
        long before = count(nearGsi, CmMessage.REQ);
        farGsi.arrive(last(nearGsi, CmMessage.REQ), NEAR);
        settle();
        pass(200);

        assertThat(count(farGsi, CmMessage.MRA)).isPositive();
        assertThat(count(nearGsi, CmMessage.REQ)).as("after the MRA").isEqualTo(before);
        var _ = callee.next(CmEvent.Type.CONNECT_REQUEST);
    }

    @Test
    void aRejectionSaysWhy() {
        var _ = called();
        long in = callee.called();
        callee.done(new ManagementRequest.Answer(in, Kind.REJ, PrivateData.of("no")));
        settle();

        CmNotice told = caller.next(CmEvent.Type.REJECTED);
        assertThat(told.status()).isEqualTo(VerbsStatus.ECONNREFUSED);
        assertThat(told.reject()).isEqualTo(RejectReason.CONSUMER_DEFINED);
        assertThat(told.data().text()).startsWith("no");
    }

    @Test
    void whoRejectsAResponseIsHeard() {
        CmStep.Ends ends = accepted();
        caller.done(CmEnd.answer(ends.out(), Kind.REJ));
        settle();

        assertThat(callee.next(CmEvent.Type.REJECTED).reject()).isEqualTo(RejectReason.CONSUMER_DEFINED);
    }

    @Test
    void nobodyWhoListensIsSaid() {
        callee.done(new ManagementRequest.Release(listener));
        var _ = called();

        assertThat(caller.next(CmEvent.Type.REJECTED).reject()).isEqualTo(RejectReason.INVALID_SERVICE_ID);
    }

    @Test
    void aListenerThatClosesRejectsWhatNobodyHasRead() {
        var _ = called();
        callee.done(new ManagementRequest.Release(listener));
        settle();

        assertThat(caller.next(CmEvent.Type.REJECTED).reject()).isEqualTo(RejectReason.INVALID_SERVICE_ID);
        assertThat(callee.take()).isEmpty();
    }

    @Test
    void withoutAnAnswerItIsUnreachableAfterTheRetries() {
        nearGsi.loses = _ -> true;
        var _ = called();
        pass(CmEnd.RESPONSE_MILLIS - 5);
        assertThat(caller.take()).isEmpty();
        pass(20);

        CmNotice told = caller.next(CmEvent.Type.UNREACHABLE);
        assertThat(told.status()).isEqualTo(VerbsStatus.ETIMEDOUT);
        long sent = count(nearGsi, CmMessage.REQ);
        assertThat(sent).isBetween(10L, 16L);
        pass(500);
        assertThat(count(nearGsi, CmMessage.REQ)).as("no more of them").isEqualTo(sent);
    }

    @Test
    void withoutAReadyMessageTheCalleeGivesUp() {
        var _ = accepted();
        pass(CmEnd.RESPONSE_MILLIS + 20);

        assertThat(callee.next(CmEvent.Type.UNREACHABLE).status()).isEqualTo(VerbsStatus.ETIMEDOUT);
        assertThat(caller.next(CmEvent.Type.REJECTED).reject()).isEqualTo(RejectReason.TIMEOUT);
    }

    @Test
    void aCallThatIsWithdrawnIsNoCall() {
        long out = called();
        caller.done(new ManagementRequest.Release(out));
        settle();

        assertThat(callee.take()).isEmpty();
    }

    @Test
    void aCallWhoseCallerIsGoneEnds() {
        var _ = called();
        var _ = callee.called();
        nearGsi.loses = _ -> true;
        farGsi.loses = _ -> true;
        far.passMillis(71_000);

        assertThat(callee.next(CmEvent.Type.UNREACHABLE).status()).isEqualTo(VerbsStatus.ECONNRESET);
    }

    @Test
    void disconnects() {
        CmStep.Ends ends = connected();
        caller.done(CmEnd.answer(ends.out(), Kind.DISCONNECT));
        settle();
        var _ = callee.next(CmEvent.Type.DISCONNECTED);
        callee.done(CmEnd.answer(ends.in(), Kind.DISCONNECT));
        settle();
        var _ = caller.next(CmEvent.Type.DISCONNECTED);
        pass(1000);

        var _ = caller.next(CmEvent.Type.TIMEWAIT_EXIT);
        var _ = callee.next(CmEvent.Type.TIMEWAIT_EXIT);
    }

    @Test
    void bothMayDisconnectAtOnce() {
        CmStep.Ends ends = connected();
        caller.done(CmEnd.answer(ends.out(), Kind.DISCONNECT));
        callee.done(CmEnd.answer(ends.in(), Kind.DISCONNECT));
        settle();

        var _ = caller.next(CmEvent.Type.DISCONNECTED);
        var _ = callee.next(CmEvent.Type.DISCONNECTED);
    }

    @ParameterizedTest
    @EnumSource(names = {"DREQ", "DREP"})
    void aLostDisconnectIsSentAgain(CmMessage lost) {
        CmStep.Ends ends = connected();
        nearGsi.loses = first(2, lost);
        farGsi.loses = first(2, lost);
        caller.done(CmEnd.answer(ends.out(), Kind.DISCONNECT));
        pass(100);
        var _ = callee.next(CmEvent.Type.DISCONNECTED);
        callee.done(CmEnd.answer(ends.in(), Kind.DISCONNECT));
        pass(200);

        assertThat(caller.take()).first().extracting(CmNotice::type).isEqualTo(CmEvent.Type.DISCONNECTED);
    }

    @Test
    void aDisconnectSaysThatTheReadyMessageWasLost() {
        CmStep.Ends ends = accepted();
        nearGsi.loses = is(CmMessage.RTU);
        caller.done(CmEnd.answer(ends.out(), Kind.RTU));
        caller.done(CmEnd.answer(ends.out(), Kind.DISCONNECT));
        settle();

        assertThat(callee.take())
                .extracting(CmNotice::type)
                .containsExactly(CmEvent.Type.ESTABLISHED, CmEvent.Type.DISCONNECTED);
    }

    @ParameterizedTest
    @EnumSource
    void theDeathOfAGuestIsHeardOfOnTheOtherHca(Death death) {
        CmStep.Ends ends = death == Death.CALLED ? new CmStep.Ends(called(), 0) : connected();
        (death == Death.CALLER ? caller : callee).die();
        settle();

        CmEnd survivor = death == Death.CALLER ? callee : caller;
        CmNotice told = survivor.take().getFirst();
        assertThat(told.type()).isEqualTo(death == Death.CALLED ? CmEvent.Type.REJECTED : CmEvent.Type.DISCONNECTED);
        assertThat(ends.out()).isNotZero();
    }

    /** Who dies, and when. */
    enum Death {
        CALLED,
        CALLER,
        CALLEE
    }

    @Test
    void aQueuePairThatCallsAgainHasLostItsConnection() {
        CmStep.Ends ends = connected();
        nearGsi.loses = _ -> true;
        caller.done(new ManagementRequest.Release(ends.out()));
        settle();
        nearGsi.loses = _ -> false;
        var _ = called();

        assertThat(callee.next(CmEvent.Type.DISCONNECTED).status()).isEqualTo(VerbsStatus.ECONNRESET);
        assertThat(caller.next(CmEvent.Type.REJECTED).reject()).isEqualTo(RejectReason.STALE_CONN);
    }

    @Test
    void aCallWhoseWithdrawalIsLostMakesRoomForTheNext() {
        long out = called();
        nearGsi.loses = is(CmMessage.REJ);
        caller.done(new ManagementRequest.Release(out));
        settle();
        var _ = called();

        assertThat(callee.next(CmEvent.Type.CONNECT_REQUEST).status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(caller.take()).isEmpty();
    }

    @Test
    void aFullBacklogRejects() {
        for (int i = 0; i <= CmEnd.BACKLOG; i++) {
            CmEnd one = CmEnd.open(near, 10 + i);
            long out = one.reply(new ManagementRequest.Resolve(one.channel(), farHca()), ManagementReply.Resolved.class)
                    .connection();
            one.done(connect(one, out, "x"));
            settle();
            assertThat(one.take()).hasSize(i < CmEnd.BACKLOG ? 0 : 1);
        }
    }

    @Test
    void aCallOfThisHcaTakesTheShareOfAnother() {
        for (int i = 0; i < CmEnd.BACKLOG; i++) {
            CmEnd one = CmEnd.open(near, 10 + i);
            long out = one.reply(new ManagementRequest.Resolve(one.channel(), farHca()), ManagementReply.Resolved.class)
                    .connection();
            one.done(connect(one, out, "x"));
            settle();
        }
        CmEnd local = CmEnd.open(far, 3);
        var _ = local.call(callee);
        settle();

        assertThat(local.take()).isEmpty();
        assertThat(callee.take()).hasSize(CmEnd.BACKLOG);
    }

    @Test
    void aRequestHasLessRoomForDataThanOnOneHca() {
        long out = resolve(farHca());

        assertThat(caller.refusal(connect(caller, out, "x".repeat(PrivateData.REQ_BYTES + 1))))
                .isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void theOldestListenerTakesACallToTheHca() {
        CmEnd younger = CmEnd.open(far, 3);
        var _ = younger.listen();
        var _ = CmEnd.open(far, 1).listen();
        var _ = called();

        var _ = callee.next(CmEvent.Type.CONNECT_REQUEST);
        assertThat(younger.take()).isEmpty();
    }

    @Test
    void pathsToPortsOfOtherHcasAreKnownByLid() {
        var path = caller.reply(
                        new ManagementRequest.QueryPath(caller.objects().context(), Destination.lid(FAR_LID)),
                        ManagementReply.Path.class)
                .path();

        assertThat(path.destinationGid()).isEqualTo(Gid.ofIpv4(FAR));
        assertThat(path.destinationLid()).isEqualTo(FAR_LID);
    }
}
