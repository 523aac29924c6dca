package io.hyperverbs.backend.mad;

/**
 * DREQ, request for communication release: 256 bytes, big-endian (IBA 12.6.10). Written by the manager of the side that
 * disconnects, read by that of the other.
 *
 * <pre>
 *  byte   +0                                +4
 *   24  | local comm id                   | remote comm id                  |
 *   32  | remote QPN           | 0        | private data, 220 bytes         |  24, 8 bits
 * </pre>
 */
public final class DreqLayout {
    public static final NumberField LOCAL_COMM_ID = NumberField.at(24, 32);
    public static final NumberField REMOTE_COMM_ID = NumberField.at(28, 32);
    public static final NumberField REMOTE_QPN = NumberField.at(32, 24);
    public static final DataField PRIVATE_DATA = DataField.at(36, 220);

    private DreqLayout() {}
}
