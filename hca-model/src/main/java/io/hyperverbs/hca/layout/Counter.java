package io.hyperverbs.hca.layout;

import java.util.Locale;

/**
 * What the engine counts, with the names of the Linux kernel's {@code hw_counters} (those of mlx5)
 * where it has one. The number is the counter's place in {@link ContextMemoryLayout} and is never
 * reused.
 */
public enum Counter {
    /** RNR NAKs that requesters received. */
    RNR_NAK_RETRY_ERR(0),
    /** Messages that found no receive. */
    OUT_OF_BUFFER(1),
    /** Requests whose PSN was not the expected one. */
    OUT_OF_SEQUENCE(2),
    /** Ack timers that ran out. */
    LOCAL_ACK_TIMEOUT_ERR(3),
    /** NAKs for remote access that requesters received. */
    REQ_REMOTE_ACCESS_ERRORS(4),
    /** NAKs for an invalid request that requesters received. */
    REQ_REMOTE_INVALID_REQUEST(5),
    /** Send requests completed with an error, flushed ones not among them. */
    REQ_CQE_ERROR(6),
    REQ_CQE_FLUSH_ERROR(7),
    /** Receive requests completed with an error, flushed ones not among them. */
    RESP_CQE_ERROR(8),
    RESP_CQE_FLUSH_ERROR(9),
    /** Messages longer than the receive they found. */
    RESP_LOCAL_LENGTH_ERROR(10),
    RESP_REMOTE_ACCESS_ERRORS(11),
    REQ_TRANSPORT_RETRIES_EXCEEDED(12),
    REQ_RNR_RETRIES_EXCEEDED(13),
    RX_WRITE_REQUESTS(14),
    RX_READ_REQUESTS(15),
    RX_ATOMIC_REQUESTS(16),
    RX_SEND_REQUESTS(17),
    /** Payload bytes that the engine moved. */
    PORT_XMIT_DATA(18),
    /** Packets sent on a wire, acknowledgements too; within the HCA, packets that messages would have been. */
    PORT_XMIT_PACKETS(19),
    /** Requests from a queue pair that the responder is not connected to. */
    UNCONNECTED_REQUESTS(20),
    /** Doorbells of slots without an object. */
    UNKNOWN_DOORBELLS(21),
    /** Producer indexes beyond their ring. */
    RING_OVERRUNS(22),
    CQ_OVERRUNS(23),
    /** Throwables confined to a queue pair. */
    ENGINE_FAULTS(24),
    /** Events lost because nobody read the event queue. */
    EVENTS_DROPPED(25),
    /** Illegal or invalid modify commands. */
    MODIFY_REFUSED(26),
    /** Messages dropped because P_Keys did not match. */
    BAD_PKEYS(27),
    /** Messages, or rests of them, that UC or UD dropped without a word. */
    RX_DROPPED_MESSAGES(28),
    /** Pauses of requests to a domain whose keys were missed too often. */
    KEY_LOCKOUTS(29),
    /** NAKs for the sequence of packets that requesters received. */
    PACKET_SEQ_ERR(30),
    /** Read responses lost, as later packets showed. */
    IMPLIED_NAK_SEQ_ERR(31),
    /** Packets that had been executed before, and were only acknowledged or answered again. */
    DUPLICATE_REQUEST(32),
    /** Packets with a wrong ICRC. */
    RX_ICRC_ENCAPSULATED(33),
    /** Packets that no opcode, no header and no queue pair of the HCA makes sense of. */
    RX_DROPPED_PACKETS(34),
    /** Packets of requests sent again. */
    RETRANSMITTED_PACKETS(35),
    /** Notifications of congestion sent to requesters. */
    NP_CNP_SENT(36),
    /** Packets that a switch marked on their way here. */
    NP_ECN_MARKED_ROCE_PACKETS(37),
    /** Notifications of congestion that slowed a queue pair down. */
    RP_CNP_HANDLED(38),
    /** Packets that came over a link that is down. */
    LINK_DOWN_DROPS(39),
    /** Packets that a link lost, as its settings say. */
    LINK_LOSSES(40),
    /** Packets that the queue of a link or port had no room for. */
    LINK_QUEUE_DROPS(41),
    /** Packets for which there was no memory while they were delayed. */
    LINK_DELAY_DROPS(42),
    /** Packets that a link doubled. */
    LINK_DUPLICATES(43),
    /** Packets of which a link flipped a bit. */
    LINK_CORRUPTIONS(44),
    /** Packets that a link held back until others had passed them. */
    LINK_REORDERINGS(45),
    /** Packets that the queue of a link or port marked with congestion experienced. */
    LINK_MARKS(46);

    private final int number;

    Counter(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** Whether it is counted for each queue pair too, and so for its port and its context. */
    public boolean isOfQueuePairs() {
        return switch (this) {
            case RNR_NAK_RETRY_ERR,
                    OUT_OF_BUFFER,
                    OUT_OF_SEQUENCE,
                    LOCAL_ACK_TIMEOUT_ERR,
                    REQ_REMOTE_ACCESS_ERRORS,
                    REQ_REMOTE_INVALID_REQUEST,
                    REQ_CQE_ERROR,
                    REQ_CQE_FLUSH_ERROR,
                    RESP_CQE_ERROR,
                    RESP_CQE_FLUSH_ERROR,
                    RESP_LOCAL_LENGTH_ERROR,
                    RESP_REMOTE_ACCESS_ERRORS,
                    REQ_TRANSPORT_RETRIES_EXCEEDED,
                    REQ_RNR_RETRIES_EXCEEDED,
                    RING_OVERRUNS,
                    ENGINE_FAULTS,
                    KEY_LOCKOUTS,
                    PACKET_SEQ_ERR,
                    IMPLIED_NAK_SEQ_ERR,
                    DUPLICATE_REQUEST,
                    RETRANSMITTED_PACKETS,
                    NP_CNP_SENT,
                    NP_ECN_MARKED_ROCE_PACKETS,
                    RP_CNP_HANDLED -> true;
            default -> false;
        };
    }

    /** The name as {@code rdma statistic} prints it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
