package io.hyperverbs.backend.mad;

/**
 * What follows the common header of a datagram of subnet administration: 32 bytes from byte 24 on, big-endian (IBA
 * 15.2.1.1). Written by who asks, and again by who answers.
 *
 * <pre>
 *  byte   +0                                +4
 *   24  | RMPP header, 12 bytes: all zero, no more than one datagram        |
 *   32  |                                 | SM_Key                          |
 *   40  |                                 | record size    | 0              |  in 8 bytes
 *   48  | component mask                                                    |  which fields are asked for
 *   56  | the record, 200 bytes                                             |
 * </pre>
 */
public final class SaHeaderLayout {
    public static final NumberField RMPP_FLAGS = NumberField.bits(26, 5, 3);
    public static final NumberField RECORD_SIZE = NumberField.at(44, 16);
    public static final NumberField COMPONENT_MASK = NumberField.at(48, 64);

    /** Attribute id of a service record. */
    public static final int SERVICE_RECORD = 0x31;

    /** Status: this method or attribute is not supported (IBA 13.4.7). */
    public static final int UNSUPPORTED = 0x000c;

    /** Status: fields that the answer needs are not given (IBA 15.2.2). */
    public static final int INSUFFICIENT_COMPONENTS = 0x0600;

    /** Status: there is no such record. */
    public static final int NO_RECORDS = 0x0300;

    private SaHeaderLayout() {}
}
