package io.hyperverbs.backend.mad;

/**
 * SIDR_REP, service id resolution response: 256 bytes, big-endian (IBA 12.11.2). Written by the manager that was asked,
 * read by the one that asked.
 *
 * <pre>
 *  byte   +0                                +4
 *   24  | request id                      | status | length | 0             |
 *   32  | QPN                  | 0        | service id                      |
 *   40  |                                 | Q_Key                           |
 *   48  | additional information, 72 bytes                                  |
 *  120  | private data, 136 bytes                                           |
 * </pre>
 */
public final class SidrRepLayout {
    public static final NumberField REQUEST_ID = NumberField.at(24, 32);
    public static final NumberField STATUS = NumberField.at(28, 8);
    public static final NumberField INFORMATION_LENGTH = NumberField.at(29, 8);
    public static final NumberField QPN = NumberField.at(32, 24);
    public static final NumberField SERVICE_ID = NumberField.at(36, 64);
    public static final NumberField QKEY = NumberField.at(44, 32);
    public static final DataField INFORMATION = DataField.at(48, 72);
    public static final DataField PRIVATE_DATA = DataField.at(120, 136);

    /** Status: the service id is not supported (IBA 12.11.2.2). */
    public static final int UNSUPPORTED = 1;

    private SidrRepLayout() {}
}
