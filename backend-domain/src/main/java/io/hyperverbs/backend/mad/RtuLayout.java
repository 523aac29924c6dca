package io.hyperverbs.backend.mad;

/**
 * RTU, ready to use, and DREP, reply to request for communication release, which have the same fields: 256 bytes,
 * big-endian (IBA 12.6.9, 12.6.11). Written by the manager of one side, read by that of the other.
 *
 * <pre>
 *  byte   +0                                +4
 *   24  | local comm id                   | remote comm id                  |
 *   32  | private data, 224 bytes                                           |
 * </pre>
 */
public final class RtuLayout {
    public static final NumberField LOCAL_COMM_ID = NumberField.at(24, 32);
    public static final NumberField REMOTE_COMM_ID = NumberField.at(28, 32);
    public static final DataField PRIVATE_DATA = DataField.at(32, 224);

    private RtuLayout() {}
}
