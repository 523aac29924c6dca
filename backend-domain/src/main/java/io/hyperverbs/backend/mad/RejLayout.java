package io.hyperverbs.backend.mad;

/**
 * REJ, reject: 256 bytes, big-endian (IBA 12.6.7). Written by the manager of either side, read by that of the other.
 *
 * <pre>
 *  byte   +0                                +4
 *   24  | local comm id                   | remote comm id                  |
 *   32  | m 0    | length 0 | reason       | additional reject information, |  2, 6; 7, 1 bits
 *   40  |  72 bytes                                                         |
 *  108  | private data, 148 bytes                                           |
 * </pre>
 *
 * m: which message it rejects. The length is that of the additional information (ARI), which says what would have been
 * accepted.
 */
public final class RejLayout {
    public static final NumberField LOCAL_COMM_ID = NumberField.at(24, 32);
    public static final NumberField REMOTE_COMM_ID = NumberField.at(28, 32);
    public static final NumberField MESSAGE = NumberField.bits(32, 0, 2);
    public static final NumberField ARI_LENGTH = NumberField.bits(33, 0, 7);
    public static final NumberField REASON = NumberField.at(34, 16);
    public static final DataField ARI = DataField.at(36, 72);
    public static final DataField PRIVATE_DATA = DataField.at(108, 148);

    private RejLayout() {}
}
