package io.hyperverbs.backend.mad;

/**
 * MRA, message receipt acknowledgement: 256 bytes, big-endian (IBA 12.6.6). Written by a manager whose consumer takes
 * longer than the sender of a message waits, read by that sender.
 *
 * <pre>
 *  byte   +0                                +4
 *   24  | local comm id                   | remote comm id                  |
 *   32  | m 0    | timeout 0 | private data, 222 bytes                      |  2, 6; 5, 3 bits
 * </pre>
 *
 * m: which message it acknowledges. The service timeout is a code ({@link TimeCode}).
 */
public final class MraLayout {
    public static final NumberField LOCAL_COMM_ID = NumberField.at(24, 32);
    public static final NumberField REMOTE_COMM_ID = NumberField.at(28, 32);
    public static final NumberField MESSAGE = NumberField.bits(32, 0, 2);
    public static final NumberField SERVICE_TIMEOUT = NumberField.bits(33, 0, 5);
    public static final DataField PRIVATE_DATA = DataField.at(34, 222);

    private MraLayout() {}
}
