package io.hyperverbs.backend.cm;

import static io.hyperverbs.backend.cm.ConnectionMessage.EXPIRE;
import static io.hyperverbs.backend.cm.ConnectionMessage.PEER_GONE;
import static io.hyperverbs.backend.cm.ConnectionMessage.RECEIVE_DREP;
import static io.hyperverbs.backend.cm.ConnectionMessage.RECEIVE_DREQ;
import static io.hyperverbs.backend.cm.ConnectionMessage.RECEIVE_REJ;
import static io.hyperverbs.backend.cm.ConnectionMessage.RECEIVE_REP;
import static io.hyperverbs.backend.cm.ConnectionMessage.RECEIVE_REQ;
import static io.hyperverbs.backend.cm.ConnectionMessage.RECEIVE_RTU;
import static io.hyperverbs.backend.cm.ConnectionMessage.RECEIVE_SIDR_REP;
import static io.hyperverbs.backend.cm.ConnectionMessage.RECEIVE_SIDR_REQ;
import static io.hyperverbs.backend.cm.ConnectionMessage.SEND_DISCONNECT;
import static io.hyperverbs.backend.cm.ConnectionMessage.SEND_REJ;
import static io.hyperverbs.backend.cm.ConnectionMessage.SEND_REP;
import static io.hyperverbs.backend.cm.ConnectionMessage.SEND_REQ;
import static io.hyperverbs.backend.cm.ConnectionMessage.SEND_RTU;
import static io.hyperverbs.backend.cm.ConnectionMessage.SEND_SIDR_REP;
import static io.hyperverbs.backend.cm.ConnectionMessage.SEND_SIDR_REQ;
import static io.hyperverbs.backend.cm.ConnectionState.DREQ_RECEIVED;
import static io.hyperverbs.backend.cm.ConnectionState.DREQ_SENT;
import static io.hyperverbs.backend.cm.ConnectionState.ESTABLISHED;
import static io.hyperverbs.backend.cm.ConnectionState.IDLE;
import static io.hyperverbs.backend.cm.ConnectionState.REP_RECEIVED;
import static io.hyperverbs.backend.cm.ConnectionState.REP_SENT;
import static io.hyperverbs.backend.cm.ConnectionState.REQ_RECEIVED;
import static io.hyperverbs.backend.cm.ConnectionState.REQ_SENT;
import static io.hyperverbs.backend.cm.ConnectionState.SIDR_REQ_RECEIVED;
import static io.hyperverbs.backend.cm.ConnectionState.SIDR_REQ_SENT;
import static io.hyperverbs.backend.cm.ConnectionState.TIMEWAIT;

import io.hyperverbs.verbs.cm.CmEvent;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Legal moves of an end of a connection (IBA 12.9.7) or of a service resolution (IBA 12.11), the event
 * each raises here, and what the peer gets. A message from the peer that is not in the table is late and changes nothing; one of the
 * program is refused.
 */
public final class ConnectionMoves {
    /**
     * @param event raised at this end; null for none
     * @param toPeer what arrives at the other end; null for nothing
     */
    public record Move(
            ConnectionState to,
            CmEvent.@Nullable Type event,
            @Nullable ConnectionMessage toPeer) {}

    private static final Map<ConnectionState, Map<ConnectionMessage, Move>> MOVES =
            new EnumMap<>(ConnectionState.class);

    static {
        move(IDLE, SEND_REQ, REQ_SENT, null, RECEIVE_REQ);
        move(IDLE, RECEIVE_REQ, REQ_RECEIVED, CmEvent.Type.CONNECT_REQUEST, null);

        move(REQ_SENT, RECEIVE_REP, REP_RECEIVED, CmEvent.Type.CONNECT_RESPONSE, null);
        move(REQ_SENT, RECEIVE_REJ, IDLE, CmEvent.Type.REJECTED, null);
        move(REQ_SENT, EXPIRE, IDLE, CmEvent.Type.UNREACHABLE, RECEIVE_REJ);
        move(REQ_SENT, PEER_GONE, IDLE, CmEvent.Type.UNREACHABLE, null);

        move(REQ_RECEIVED, SEND_REP, REP_SENT, null, RECEIVE_REP);
        move(REQ_RECEIVED, SEND_REJ, IDLE, null, RECEIVE_REJ);
        move(REQ_RECEIVED, RECEIVE_REJ, IDLE, CmEvent.Type.REJECTED, null);
        move(REQ_RECEIVED, PEER_GONE, IDLE, CmEvent.Type.UNREACHABLE, null);

        move(REP_SENT, RECEIVE_RTU, ESTABLISHED, CmEvent.Type.ESTABLISHED, null);
        move(REP_SENT, SEND_REJ, IDLE, null, RECEIVE_REJ);
        move(REP_SENT, RECEIVE_REJ, IDLE, CmEvent.Type.REJECTED, null);
        move(REP_SENT, EXPIRE, IDLE, CmEvent.Type.UNREACHABLE, RECEIVE_REJ);
        move(REP_SENT, PEER_GONE, IDLE, CmEvent.Type.UNREACHABLE, null);

        move(REP_RECEIVED, SEND_RTU, ESTABLISHED, null, RECEIVE_RTU);
        move(REP_RECEIVED, SEND_REJ, IDLE, null, RECEIVE_REJ);
        move(REP_RECEIVED, RECEIVE_REJ, IDLE, CmEvent.Type.REJECTED, null);
        move(REP_RECEIVED, PEER_GONE, IDLE, CmEvent.Type.UNREACHABLE, null);

        move(ESTABLISHED, SEND_DISCONNECT, DREQ_SENT, null, RECEIVE_DREQ);
        move(ESTABLISHED, RECEIVE_DREQ, DREQ_RECEIVED, CmEvent.Type.DISCONNECTED, null);
        move(ESTABLISHED, PEER_GONE, TIMEWAIT, CmEvent.Type.DISCONNECTED, null);

        move(DREQ_SENT, RECEIVE_DREP, TIMEWAIT, CmEvent.Type.DISCONNECTED, null);
        // Both at once: each takes the other's DREQ for the answer.
        move(DREQ_SENT, RECEIVE_DREQ, TIMEWAIT, CmEvent.Type.DISCONNECTED, RECEIVE_DREP);
        move(DREQ_SENT, EXPIRE, TIMEWAIT, CmEvent.Type.DISCONNECTED, null);
        move(DREQ_SENT, PEER_GONE, TIMEWAIT, CmEvent.Type.DISCONNECTED, null);

        move(DREQ_RECEIVED, SEND_DISCONNECT, TIMEWAIT, null, RECEIVE_DREP);
        move(DREQ_RECEIVED, PEER_GONE, TIMEWAIT, null, null);

        // The peer was first or is gone: there is nobody to tell.
        move(TIMEWAIT, SEND_DISCONNECT, TIMEWAIT, null, null);
        move(TIMEWAIT, EXPIRE, IDLE, CmEvent.Type.TIMEWAIT_EXIT, null);

        move(IDLE, SEND_SIDR_REQ, SIDR_REQ_SENT, null, RECEIVE_SIDR_REQ);
        move(IDLE, RECEIVE_SIDR_REQ, SIDR_REQ_RECEIVED, CmEvent.Type.CONNECT_REQUEST, null);

        move(SIDR_REQ_SENT, RECEIVE_SIDR_REP, IDLE, CmEvent.Type.ESTABLISHED, null);
        move(SIDR_REQ_SENT, RECEIVE_REJ, IDLE, CmEvent.Type.UNREACHABLE, null);
        move(SIDR_REQ_SENT, EXPIRE, IDLE, CmEvent.Type.UNREACHABLE, PEER_GONE);
        move(SIDR_REQ_SENT, PEER_GONE, IDLE, CmEvent.Type.UNREACHABLE, null);

        move(SIDR_REQ_RECEIVED, SEND_SIDR_REP, IDLE, null, RECEIVE_SIDR_REP);
        move(SIDR_REQ_RECEIVED, SEND_REJ, IDLE, null, RECEIVE_REJ);
        // Nobody waits for the answer any more; who is asked does not learn that, and gives it in vain.
        move(SIDR_REQ_RECEIVED, RECEIVE_REJ, SIDR_REQ_RECEIVED, null, null);
        move(SIDR_REQ_RECEIVED, PEER_GONE, SIDR_REQ_RECEIVED, null, null);
    }

    private ConnectionMoves() {}

    /** The move, or null if there is none. */
    public static @Nullable Move find(ConnectionState from, ConnectionMessage message) {
        return MOVES.getOrDefault(from, Map.of()).get(message);
    }

    private static void move(
            ConnectionState from,
            ConnectionMessage message,
            ConnectionState to,
            CmEvent.@Nullable Type event,
            @Nullable ConnectionMessage toPeer) {
        MOVES.computeIfAbsent(from, _ -> new EnumMap<>(ConnectionMessage.class))
                .put(message, new Move(to, event, toPeer));
    }
}
