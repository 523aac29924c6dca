package io.hyperverbs.backend.mad;

/**
 * REP, reply to request for communication: 256 bytes, big-endian (IBA 12.6.8). Written by the manager of the passive
 * side, read by that of the active one.
 *
 * <pre>
 *  byte   +0                                +4
 *   24  | local comm id                   | remote comm id                  |
 *   32  | local Q_Key                     | local QPN            | 0        |  24, 8 bits
 *   40  | local EECN           | 0        | starting PSN         | 0        |
 *   48  | resp. res. | depth | ack f c | rnr s 0 | local CA GUID            |  5, 2, 1; 3, 1, 4 bits
 *   56  |                                 | private data, 196 bytes         |
 * </pre>
 *
 * ack: target ack delay, a code ({@link TimeCode}); f: failover accepted; c: end-to-end flow control; s: SRQ.
 */
public final class RepLayout {
    public static final NumberField LOCAL_COMM_ID = NumberField.at(24, 32);
    public static final NumberField REMOTE_COMM_ID = NumberField.at(28, 32);
    public static final NumberField LOCAL_QKEY = NumberField.at(32, 32);
    public static final NumberField LOCAL_QPN = NumberField.at(36, 24);
    public static final NumberField LOCAL_EECN = NumberField.at(40, 24);
    public static final NumberField STARTING_PSN = NumberField.at(44, 24);
    public static final NumberField RESPONDER_RESOURCES = NumberField.at(48, 8);
    public static final NumberField INITIATOR_DEPTH = NumberField.at(49, 8);
    public static final NumberField TARGET_ACK_DELAY = NumberField.bits(50, 0, 5);
    public static final NumberField FAILOVER_ACCEPTED = NumberField.bits(50, 5, 2);
    public static final NumberField FLOW_CONTROL = NumberField.bits(50, 7, 1);
    public static final NumberField RNR_RETRY_COUNT = NumberField.bits(51, 0, 3);
    public static final NumberField SRQ = NumberField.bits(51, 3, 1);
    public static final NumberField LOCAL_CA_GUID = NumberField.at(52, 64);
    public static final DataField PRIVATE_DATA = DataField.at(60, 196);

    /** Failover accepted: there is no alternate path (IBA 12.6.8). */
    public static final int FAILOVER_NOT_SUPPORTED = 1;

    private RepLayout() {}
}
