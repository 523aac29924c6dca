package io.hyperverbs.backend.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.mad.RejLayout;
import io.hyperverbs.backend.mad.RepLayout;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.cm.RejectReason;
import org.junit.jupiter.api.Test;

/** Messages that do not fit the end that they name. */
class RemoteMessagesTest extends ManagerFixture {
    @Test
    void theSameIdOfAnotherCallIsStale() {
        var _ = passive();
        byte[] other = req(PEER_ID);
        MadHeaderLayout.TRANSACTION_ID.set(other, 4);
        receive(other);

        assertThat(RejLayout.REASON.getInt(sent().getFirst())).isEqualTo(RejectReason.STALE_CONN.code());
        assertThat(user.heard).containsExactly(ConnectionMessage.PEER_GONE);
    }

    @Test
    void responsesThatDoNotFitAreNone() {
        RemoteEnd end = call(QpType.RC, 7);
        receive(rep(end, 1));
        assertThat(user.heard).isEmpty();
        receive(rep(end, PEER_QPN));
        byte[] other = rep(end, PEER_QPN);
        RepLayout.LOCAL_COMM_ID.set(other, PEER_ID + 1);
        receive(other);
        receive(rep(passive(), PEER_QPN));

        assertThat(user.heard).containsExactly(ConnectionMessage.RECEIVE_REP);
    }

    @Test
    void rejectionsThatComeTooLateChangeNothing() {
        RemoteEnd end = passive();
        user.state = ConnectionState.TIMEWAIT;
        receive(message(CmMessage.REJ, end));
        assertThat(user.heard).isEmpty();
        user.state = ConnectionState.ESTABLISHED;
        receive(message(CmMessage.REJ, end));
        assertThat(user.heard).containsExactly(ConnectionMessage.PEER_GONE);
        connections.retire(end, 0);
        receive(message(CmMessage.REJ, end));

        assertThat(connections.next()).as("not kept any more").isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anMraStopsWhatItAnswersForAFewIntervals() {
        RemoteEnd end = call(QpType.RC, 7);
        long interval = connections.next();
        receive(mra(end, CmMessage.REP));
        assertThat(connections.next()).isEqualTo(interval);
        receive(mra(end, CmMessage.REQ));
        assertThat(connections.next()).isEqualTo(9 * interval);

        receive(rep(end, PEER_QPN));
        receive(mra(end, CmMessage.REQ));
        assertThat(connections.next()).isEqualTo(Long.MAX_VALUE);
        send(end, ConnectionMessage.RECEIVE_DREQ);
        receive(mra(end, CmMessage.DREQ));
        assertThat(connections.next()).isEqualTo(interval);
    }

    @Test
    void anMraOfWhatWasNotSaidIsNone() {
        receive(mra(passive(), CmMessage.REP));

        assertThat(connections.next()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aDisconnectNamesTheQueuePairOfAConnection() {
        RemoteEnd end = call(QpType.RC, 7);
        receive(dreq(end, QPN));
        receive(rep(end, PEER_QPN));
        user.state = ConnectionState.ESTABLISHED;
        receive(dreq(end, QPN + 1));
        assertThat(user.heard).containsExactly(ConnectionMessage.RECEIVE_REP);
        receive(dreq(end, QPN));

        assertThat(user.heard).containsExactly(ConnectionMessage.RECEIVE_REP, ConnectionMessage.RECEIVE_DREQ);
    }
}
