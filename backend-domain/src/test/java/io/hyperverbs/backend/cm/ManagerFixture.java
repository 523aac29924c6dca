package io.hyperverbs.backend.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.gsi.Outbox;
import io.hyperverbs.backend.gsi.SourceBudgets;
import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.backend.mad.DreqLayout;
import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.mad.MraLayout;
import io.hyperverbs.backend.mad.RepLayout;
import io.hyperverbs.backend.mad.ReqLayout;
import io.hyperverbs.backend.mad.RtuLayout;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One manager and its datagrams, with a user whose state the test says. */
abstract class ManagerFixture {
    static final int PEER_ID = 0x77;
    static final int PEER_QPN = 0x22;
    static final int QPN = 0x11;
    static final int HERE = 0x0a00_0001;
    static final long RESPONSE_NANOS = TimeUnit.MILLISECONDS.toNanos(160);

    private static final int THERE = 0x0a00_0003;
    private static final int GSI = 1;

    private final Outbox outbox = new Outbox();
    final RemoteConnections connections = new RemoteConnections(
            new LocalPort(HERE, 1, 2048, 9), outbox, new SourceBudgets(), new SplittableRandom(1));
    final User user = new User();

    @Nullable
    IncomingCall heard;

    @Nullable
    RemoteEnd called;

    /** Is in the state that the test says, and notes what it hears. */
    static final class User implements RemoteUser {
        ConnectionState state = ConnectionState.REQ_SENT;
        final List<ConnectionMessage> heard = new ArrayList<>();

        @Override
        public ConnectionState state() {
            return state;
        }

        @Override
        public void receive(ConnectionMessage message, MessageContent content, long nowNanos) {
            heard.add(message);
        }
    }

    RemoteEnd call(QpType type, long serviceId) {
        CmOffer offer = new CmOffer(type, QPN, 5, 1, 2, 3, 4, 6);
        Gid from = Gid.ofIpv4(HERE);
        Gid to = Gid.ofIpv4(THERE);
        PrivateData data = PrivateData.of("hi");
        OutgoingCall call = new OutgoingCall(THERE, 3, from, to, serviceId, offer, 0x8001, 1024, RESPONSE_NANOS, data);
        return connections.call(user, call, GSI, 0);
    }

    /** An end that was called, and whose user has not answered. */
    RemoteEnd passive() {
        receive(req(PEER_ID));
        user.state = ConnectionState.REQ_RECEIVED;
        assertThat(called).isNotNull();
        return called;
    }

    void receive(byte[] mad) {
        var _ = connections.receive(
                mad,
                THERE,
                GSI,
                (end, call, _) -> {
                    heard = call;
                    called = end;
                    end.takenBy(user);
                    return CallVerdict.of(RejectReason.NONE);
                },
                0);
    }

    void send(RemoteEnd end, ConnectionMessage message) {
        CmOffer offer = new CmOffer(QpType.RC, QPN, 0, 0, 0, 0, 0, 0);
        MessageContent content = new MessageContent(offer, PrivateData.none(), RejectReason.CONSUMER_DEFINED, 0);
        connections.send(end, message, content, RESPONSE_NANOS, 0);
    }

    /** Time passes until everything has been sent as often as it is. */
    void passTries() {
        for (long now = 0; now < 10 * RESPONSE_NANOS; now += RESPONSE_NANOS / 100) {
            var _ = connections.doWork(now);
        }
    }

    List<byte[]> sent() {
        return outbox.takeAll().stream()
                .map(mad -> {
                    ManagementDatagram datagram = new ManagementDatagram();
                    mad.into(datagram);
                    return datagram.mad();
                })
                .toList();
    }

    List<CmMessage> kinds() {
        List<CmMessage> kinds = new ArrayList<>();
        sent().forEach(mad -> kinds.add(CmMessage.of(MadHeaderLayout.ATTRIBUTE_ID.getInt(mad))));
        return kinds;
    }

    static byte[] req(int id) {
        byte[] mad = CmMessage.REQ.create(ManagementDatagram.MAD_BYTES, 3);
        ReqLayout.LOCAL_COMM_ID.set(mad, id);
        ReqLayout.LOCAL_QPN.set(mad, PEER_QPN);
        ReqLayout.PATH_MTU.set(mad, 3);
        ReqLayout.SERVICE_ID.set(mad, 7);
        return mad;
    }

    /** A message of the peer to that end, which it knows. */
    static byte[] message(CmMessage kind, RemoteEnd end) {
        byte[] mad = kind.create(ManagementDatagram.MAD_BYTES, 3);
        RtuLayout.LOCAL_COMM_ID.set(mad, PEER_ID);
        RtuLayout.REMOTE_COMM_ID.set(mad, end.localId);
        return mad;
    }

    static byte[] rep(RemoteEnd end, int qpn) {
        byte[] mad = message(CmMessage.REP, end);
        RepLayout.LOCAL_QPN.set(mad, qpn);
        return mad;
    }

    static byte[] mra(RemoteEnd end, CmMessage answered) {
        byte[] mad = message(CmMessage.MRA, end);
        MraLayout.MESSAGE.set(mad, answered.answeredCode());
        MraLayout.SERVICE_TIMEOUT.set(mad, 31);
        return mad;
    }

    static byte[] dreq(RemoteEnd end, int qpn) {
        byte[] mad = message(CmMessage.DREQ, end);
        DreqLayout.REMOTE_QPN.set(mad, qpn);
        return mad;
    }
}
