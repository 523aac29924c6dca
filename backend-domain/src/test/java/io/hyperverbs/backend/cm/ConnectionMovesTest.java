package io.hyperverbs.backend.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.cm.ConnectionMoves.Move;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every state with every message, legal or not. */
class ConnectionMovesTest {
    /** From, message, to; event raised here; message to the peer. What is not listed is no move. */
    private static final String LEGAL = """
        IDLE SEND_REQ REQ_SENT - RECEIVE_REQ
        IDLE RECEIVE_REQ REQ_RECEIVED CONNECT_REQUEST -
        IDLE SEND_SIDR_REQ SIDR_REQ_SENT - RECEIVE_SIDR_REQ
        IDLE RECEIVE_SIDR_REQ SIDR_REQ_RECEIVED CONNECT_REQUEST -
        REQ_SENT RECEIVE_REP REP_RECEIVED CONNECT_RESPONSE -
        REQ_SENT RECEIVE_REJ IDLE REJECTED -
        REQ_SENT EXPIRE IDLE UNREACHABLE RECEIVE_REJ
        REQ_SENT PEER_GONE IDLE UNREACHABLE -
        REQ_RECEIVED SEND_REP REP_SENT - RECEIVE_REP
        REQ_RECEIVED SEND_REJ IDLE - RECEIVE_REJ
        REQ_RECEIVED RECEIVE_REJ IDLE REJECTED -
        REQ_RECEIVED PEER_GONE IDLE UNREACHABLE -
        REP_SENT SEND_REJ IDLE - RECEIVE_REJ
        REP_SENT RECEIVE_RTU ESTABLISHED ESTABLISHED -
        REP_SENT RECEIVE_REJ IDLE REJECTED -
        REP_SENT EXPIRE IDLE UNREACHABLE RECEIVE_REJ
        REP_SENT PEER_GONE IDLE UNREACHABLE -
        REP_RECEIVED SEND_RTU ESTABLISHED - RECEIVE_RTU
        REP_RECEIVED SEND_REJ IDLE - RECEIVE_REJ
        REP_RECEIVED RECEIVE_REJ IDLE REJECTED -
        REP_RECEIVED PEER_GONE IDLE UNREACHABLE -
        ESTABLISHED SEND_DISCONNECT DREQ_SENT - RECEIVE_DREQ
        ESTABLISHED RECEIVE_DREQ DREQ_RECEIVED DISCONNECTED -
        ESTABLISHED PEER_GONE TIMEWAIT DISCONNECTED -
        DREQ_SENT RECEIVE_DREQ TIMEWAIT DISCONNECTED RECEIVE_DREP
        DREQ_SENT RECEIVE_DREP TIMEWAIT DISCONNECTED -
        DREQ_SENT EXPIRE TIMEWAIT DISCONNECTED -
        DREQ_SENT PEER_GONE TIMEWAIT DISCONNECTED -
        DREQ_RECEIVED SEND_DISCONNECT TIMEWAIT - RECEIVE_DREP
        DREQ_RECEIVED PEER_GONE TIMEWAIT - -
        TIMEWAIT SEND_DISCONNECT TIMEWAIT - -
        TIMEWAIT EXPIRE IDLE TIMEWAIT_EXIT -
        SIDR_REQ_SENT RECEIVE_REJ IDLE UNREACHABLE -
        SIDR_REQ_SENT RECEIVE_SIDR_REP IDLE ESTABLISHED -
        SIDR_REQ_SENT EXPIRE IDLE UNREACHABLE PEER_GONE
        SIDR_REQ_SENT PEER_GONE IDLE UNREACHABLE -
        SIDR_REQ_RECEIVED SEND_REJ IDLE - RECEIVE_REJ
        SIDR_REQ_RECEIVED RECEIVE_REJ SIDR_REQ_RECEIVED - -
        SIDR_REQ_RECEIVED SEND_SIDR_REP IDLE - RECEIVE_SIDR_REP
        SIDR_REQ_RECEIVED PEER_GONE SIDR_REQ_RECEIVED - -
        """;

    @Test
    void holdsTheseMovesAndNoOthers() {
        String found = Stream.of(ConnectionState.values())
                .flatMap(from -> Stream.of(ConnectionMessage.values()).map(message -> line(from, message)))
                .collect(Collectors.joining());

        assertThat(found).isEqualTo(LEGAL);
    }

    /** Else an end would wait for ever for one that is gone. */
    @Test
    void everyStateThatWaitsForThePeerHasAnEndWithoutIt() {
        for (ConnectionState state : ConnectionState.values()) {
            boolean waits = state != ConnectionState.IDLE && state != ConnectionState.TIMEWAIT;

            assertThat(ConnectionMoves.find(state, ConnectionMessage.PEER_GONE) != null)
                    .as("%s when the peer is gone", state)
                    .isEqualTo(waits);
        }
    }

    private static String line(ConnectionState from, ConnectionMessage message) {
        Move move = ConnectionMoves.find(from, message);
        return move == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%s %s %s %s %s%n",
                        from,
                        message,
                        move.to(),
                        move.event() == null ? "-" : move.event(),
                        move.toPeer() == null ? "-" : move.toPeer());
    }
}
