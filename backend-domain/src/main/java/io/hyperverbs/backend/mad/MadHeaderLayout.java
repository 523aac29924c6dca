package io.hyperverbs.backend.mad;

/**
 * Common header of management datagrams: the first 24 of 256 bytes, big-endian (IBA 13.4.3). Written by the manager
 * that sends, read by the one that it is for.
 *
 * <pre>
 *  byte   +0            +1            +2             +3
 *    0  | base version | class       | class version | R method    |  R: response, 1 bit
 *    4  | status                     | class-specific              |
 *    8  | transaction id                                           |
 *   12  |                                                          |
 *   16  | attribute id               | 0                           |
 *   20  | attribute modifier                                       |
 * </pre>
 *
 * Reserved bytes are written as zero and not looked at.
 */
public final class MadHeaderLayout {
    public static final int SIZE_BYTES = 24;

    public static final NumberField BASE_VERSION = NumberField.at(0, 8);
    public static final NumberField CLASS = NumberField.at(1, 8);
    public static final NumberField CLASS_VERSION = NumberField.at(2, 8);
    public static final NumberField METHOD = NumberField.at(3, 8);
    public static final NumberField STATUS = NumberField.at(4, 16);
    public static final NumberField TRANSACTION_ID = NumberField.at(8, 64);
    public static final NumberField ATTRIBUTE_ID = NumberField.at(16, 16);
    public static final NumberField ATTRIBUTE_MODIFIER = NumberField.at(20, 32);

    /** The one version of the header that there is. */
    public static final int VERSION = 1;

    /** Class of subnet administration, {@code SubnAdm}. */
    public static final int SUBNET_ADMINISTRATION = 0x03;

    /** Class of connection management, {@code ComMgt}. */
    public static final int CONNECTION_MANAGEMENT = 0x07;

    /** Version of both classes. */
    public static final int CLASS_VERSION_2 = 2;

    public static final int GET = 0x01;
    public static final int SEND = 0x03;
    public static final int GET_RESPONSE = 0x81;

    private MadHeaderLayout() {}

    /** A datagram of zeroes with this header. */
    public static byte[] create(int bytes, int madClass, int method, int attributeId, long transactionId) {
        byte[] mad = new byte[bytes];
        BASE_VERSION.set(mad, VERSION);
        CLASS.set(mad, madClass);
        CLASS_VERSION.set(mad, CLASS_VERSION_2);
        METHOD.set(mad, method);
        TRANSACTION_ID.set(mad, transactionId);
        ATTRIBUTE_ID.set(mad, attributeId);
        return mad;
    }
}
