package io.hyperverbs.backend.mad;

/**
 * REQ, request for communication: 256 bytes, big-endian (IBA 12.6.5). Written by the manager of the active side, read
 * by that of the passive one.
 *
 * <pre>
 *  byte   +0                                +4
 *   24  | local comm id                   | 0                               |
 *   32  | service id                                                        |
 *   40  | local CA GUID                                                     |
 *   48  | 0                               | local Q_Key                     |
 *   56  | local QPN       | resp. res.    | local EECN        | init. depth |  24 and 8 bits each
 *   64  | remote EECN     | rct tst fc    | starting PSN      | lct  retry  |  5, 2, 1; 5, 3 bits
 *   72  | P_Key   | mtu rdc rnr | max srq ext | local LID   | remote LID    |  4, 1, 3; 4, 1, 3 bits
 *   80  | primary local port GID                                            |
 *   96  | primary remote port GID                                           |
 *  112  | flow label, 0, packet rate      | class  | hops | sl s 0 | ack 0  |  20, 6, 6; 8; 8; 4, 1, 3; 5, 3 bits
 *  120  | the alternate path, as bytes 76 to 119; all zero: there is none   |
 *  164  | private data, 92 bytes                                            |
 * </pre>
 *
 * rct and lct: remote and local CM response timeout; tst: transport service type; fc: end-to-end flow control; max: max
 * CM retries; ext: extended transport type; s: subnet local. Times are codes ({@link TimeCode}). Reserved bits are
 * written as zero and not looked at.
 */
public final class ReqLayout {
    public static final NumberField LOCAL_COMM_ID = NumberField.at(24, 32);
    public static final NumberField SERVICE_ID = NumberField.at(32, 64);
    public static final NumberField LOCAL_CA_GUID = NumberField.at(40, 64);
    public static final NumberField LOCAL_QKEY = NumberField.at(52, 32);
    public static final NumberField LOCAL_QPN = NumberField.at(56, 24);
    public static final NumberField RESPONDER_RESOURCES = NumberField.at(59, 8);
    public static final NumberField LOCAL_EECN = NumberField.at(60, 24);
    public static final NumberField INITIATOR_DEPTH = NumberField.at(63, 8);
    public static final NumberField REMOTE_EECN = NumberField.at(64, 24);
    public static final NumberField REMOTE_RESPONSE_TIMEOUT = NumberField.bits(67, 0, 5);
    public static final NumberField TRANSPORT_SERVICE_TYPE = NumberField.bits(67, 5, 2);
    public static final NumberField FLOW_CONTROL = NumberField.bits(67, 7, 1);
    public static final NumberField STARTING_PSN = NumberField.at(68, 24);
    public static final NumberField LOCAL_RESPONSE_TIMEOUT = NumberField.bits(71, 0, 5);
    public static final NumberField RETRY_COUNT = NumberField.bits(71, 5, 3);
    public static final NumberField PKEY = NumberField.at(72, 16);
    public static final NumberField PATH_MTU = NumberField.bits(74, 0, 4);
    public static final NumberField RDC_EXISTS = NumberField.bits(74, 4, 1);
    public static final NumberField RNR_RETRY_COUNT = NumberField.bits(74, 5, 3);
    public static final NumberField MAX_CM_RETRIES = NumberField.bits(75, 0, 4);
    public static final NumberField SRQ = NumberField.bits(75, 4, 1);
    public static final NumberField EXTENDED_TRANSPORT_TYPE = NumberField.bits(75, 5, 3);
    public static final NumberField PRIMARY_LOCAL_LID = NumberField.at(76, 16);
    public static final NumberField PRIMARY_REMOTE_LID = NumberField.at(78, 16);
    public static final GidField PRIMARY_LOCAL_GID = GidField.at(80);
    public static final GidField PRIMARY_REMOTE_GID = GidField.at(96);
    public static final NumberField PRIMARY_FLOW_LABEL = NumberField.bits(112, 0, 20);
    public static final NumberField PRIMARY_PACKET_RATE = NumberField.bits(115, 2, 6);
    public static final NumberField PRIMARY_TRAFFIC_CLASS = NumberField.at(116, 8);
    public static final NumberField PRIMARY_HOP_LIMIT = NumberField.at(117, 8);
    public static final NumberField PRIMARY_SL = NumberField.bits(118, 0, 4);
    public static final NumberField PRIMARY_SUBNET_LOCAL = NumberField.bits(118, 4, 1);
    public static final NumberField PRIMARY_ACK_TIMEOUT = NumberField.bits(119, 0, 5);
    public static final NumberField ALTERNATE_LOCAL_LID = NumberField.at(120, 16);
    public static final NumberField ALTERNATE_REMOTE_LID = NumberField.at(122, 16);
    public static final GidField ALTERNATE_LOCAL_GID = GidField.at(124);
    public static final GidField ALTERNATE_REMOTE_GID = GidField.at(140);
    public static final NumberField ALTERNATE_FLOW_LABEL = NumberField.bits(156, 0, 20);
    public static final NumberField ALTERNATE_PACKET_RATE = NumberField.bits(159, 2, 6);
    public static final NumberField ALTERNATE_TRAFFIC_CLASS = NumberField.at(160, 8);
    public static final NumberField ALTERNATE_HOP_LIMIT = NumberField.at(161, 8);
    public static final NumberField ALTERNATE_SL = NumberField.bits(162, 0, 4);
    public static final NumberField ALTERNATE_SUBNET_LOCAL = NumberField.bits(162, 4, 1);
    public static final NumberField ALTERNATE_ACK_TIMEOUT = NumberField.bits(163, 0, 5);
    public static final DataField PRIVATE_DATA = DataField.at(164, 92);

    /** Transport service types (IBA 12.7.6). */
    public static final int RELIABLE_CONNECTION = 0;

    public static final int UNRELIABLE_CONNECTION = 1;

    private ReqLayout() {}
}
