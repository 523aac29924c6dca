package io.hyperverbs.backend.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.mad.RejLayout;
import io.hyperverbs.backend.mad.ReqLayout;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is sent, how often, and how long an end is kept. */
class RemoteConnectionsTest extends ManagerFixture {
    /** Port 80 of TCP. */
    private static final long IP_SERVICE = 0x0106_0050;

    @Test
    void aRequestSaysWhatItWasTold() {
        for (QpType type : List.of(QpType.RC, QpType.UC)) {
            for (long serviceId : List.of(7L, IP_SERVICE)) {
                var _ = call(type, serviceId);
                byte[] req = sent().getFirst();
                ReqLayout.LOCAL_COMM_ID.set(req, serviceId + type.ordinal());
                receive(req);

                assertThat(heard).isNotNull();
                assertThat(heard.offer()).isEqualTo(new CmOffer(type, QPN, 5, 1, 2, 3, 4, 6));
                assertThat(heard.serviceId()).isEqualTo(serviceId);
                assertThat(heard.mtuBytes()).isEqualTo(1024);
                assertThat(heard.pkey()).isEqualTo(0x8001);
                assertThat(heard.data().text()).startsWith("hi");
                assertThat(heard.data().length()).isEqualTo(RemoteConnections.roomForData(serviceId));
                assertThat(heard.caller()).isEqualTo(Gid.ofIpv4(HERE));
            }
        }
    }

    @Test
    void aRequestForAnIpServiceHasItsHeader() {
        byte[] req = req(PEER_ID);
        ReqLayout.SERVICE_ID.set(req, IP_SERVICE);
        receive(req);

        assertThat(RejLayout.REASON.getInt(sent().getFirst())).isEqualTo(RejectReason.INVALID_SERVICE_ID.code());
        assertThat(heard).isNull();
    }

    @Test
    void aMessageIsTriedSoOftenAndNoMore() {
        RemoteEnd end = call(QpType.RC, 7);
        passTries();

        assertThat(kinds()).hasSize(1 + RemoteConnections.TRIES).containsOnly(CmMessage.REQ);
        assertThat(connections.next()).isEqualTo(Long.MAX_VALUE);
        connections.retire(end, 0);
        receive(rep(end, PEER_QPN));
        assertThat(RejLayout.REASON.getInt(sent().getFirst())).isEqualTo(RejectReason.INVALID_COMM_ID.code());
    }

    @Test
    void aDisconnectIsSentOnWithoutItsUserUntilItIsAnswered() {
        RemoteEnd silent = call(QpType.RC, 7);
        RemoteEnd answered = call(QpType.RC, 7);
        for (RemoteEnd end : List.of(silent, answered)) {
            receive(rep(end, PEER_QPN));
            send(end, ConnectionMessage.RECEIVE_DREQ);
            connections.retire(end, 0);
            connections.retire(end, 0);
        }
        receive(message(CmMessage.DREP, answered));
        receive(message(CmMessage.DREP, answered));
        var _ = sent();
        passTries();

        assertThat(kinds()).hasSize(RemoteConnections.TRIES).containsOnly(CmMessage.DREQ);
        assertThat(user.heard).containsOnly(ConnectionMessage.RECEIVE_REP);
        // Neither is known any more: what is not there is released.
        receive(dreq(silent, QPN));
        assertThat(kinds()).containsExactly(CmMessage.DREP);
    }

    @Test
    void whoHasNoUserRepeatsItsAnswerAndSaysNothingNew() {
        RemoteEnd end = passive();
        send(end, ConnectionMessage.RECEIVE_REP);
        connections.retire(end, 0);
        var _ = sent();
        send(end, ConnectionMessage.RECEIVE_RTU);
        assertThat(connections.doWork(RESPONSE_NANOS)).isZero();
        assertThat(sent()).isEmpty();

        receive(req(PEER_ID));
        assertThat(kinds()).containsExactly(CmMessage.REP);
        assertThat(connections.doWork(RemoteConnections.LINGER_NANOS)).isEqualTo(1);
        assertThat(connections.next()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void onlySoManyOfAnAddressAreKept() {
        for (int id = 0; id <= RemoteEnds.MAX_RETIRED_OF_ADDRESS; id++) {
            receive(req(1000 + id));
            assertThat(called).isNotNull();
            send(called, ConnectionMessage.RECEIVE_REJ);
            connections.retire(called, 0);
        }

        assertThat(connections.doWork(RemoteConnections.LINGER_NANOS)).isEqualTo(RemoteEnds.MAX_RETIRED_OF_ADDRESS);
    }

    @Test
    void aRejectionSaysWhatItRejects() {
        RemoteEnd end = call(QpType.RC, 7);
        receive(rep(end, PEER_QPN));
        send(end, ConnectionMessage.RECEIVE_RTU);
        send(end, ConnectionMessage.RECEIVE_REJ);
        RemoteEnd callee = passive();
        send(callee, ConnectionMessage.RECEIVE_REJ);
        receive(req(PEER_ID));

        List<byte[]> rejections = sent().stream()
                .filter(mad -> MadHeaderLayout.ATTRIBUTE_ID.getInt(mad) == CmMessage.REJ.attributeId())
                .toList();
        assertThat(rejections)
                .extracting(RejLayout.MESSAGE::getInt)
                .containsExactly(
                        CmMessage.RTU.answeredCode(), CmMessage.REQ.answeredCode(), CmMessage.REQ.answeredCode());
    }

    @Test
    void whatIsNoMessageToAPeerIsAMistake() {
        RemoteEnd end = passive();

        assertThatThrownBy(() -> send(end, ConnectionMessage.EXPIRE)).isInstanceOf(IllegalArgumentException.class);
    }
}
