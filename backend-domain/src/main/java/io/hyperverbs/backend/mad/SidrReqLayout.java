package io.hyperverbs.backend.mad;

/**
 * SIDR_REQ, service id resolution request: 256 bytes, big-endian (IBA 12.11.1). Written by a manager that looks for the
 * queue pair of a datagram service, read by the one that has it.
 *
 * <pre>
 *  byte   +0                                +4
 *   24  | request id                      | P_Key          | 0              |
 *   32  | service id                                                        |
 *   40  | private data, 216 bytes                                           |
 * </pre>
 */
public final class SidrReqLayout {
    public static final NumberField REQUEST_ID = NumberField.at(24, 32);
    public static final NumberField PKEY = NumberField.at(28, 16);
    public static final NumberField SERVICE_ID = NumberField.at(32, 64);
    public static final DataField PRIVATE_DATA = DataField.at(40, 216);

    private SidrReqLayout() {}
}
