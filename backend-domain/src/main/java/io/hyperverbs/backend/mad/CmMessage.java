package io.hyperverbs.backend.mad;

import org.jspecify.annotations.Nullable;

/** Messages of connection management by attribute id (IBA 12.6, table 103). */
public enum CmMessage {
    REQ(0x10),
    MRA(0x11),
    REJ(0x12),
    REP(0x13),
    RTU(0x14),
    DREQ(0x15),
    DREP(0x16),
    SIDR_REQ(0x17),
    SIDR_REP(0x18);

    /** What an MRA or a REJ says of the message that it answers: neither REQ nor REP. */
    private static final int NO_MESSAGE = 2;

    private final int attributeId;

    CmMessage(int attributeId) {
        this.attributeId = attributeId;
    }

    public int attributeId() {
        return attributeId;
    }

    /** The message with that attribute id; null for one that is not known here, such as LAP. */
    public static @Nullable CmMessage of(int attributeId) {
        for (CmMessage message : values()) {
            if (message.attributeId == attributeId) {
                return message;
            }
        }
        return null;
    }

    /** How an MRA or a REJ calls it (IBA 12.7.9). */
    public int answeredCode() {
        return switch (this) {
            case REQ -> 0;
            case REP -> 1;
            case MRA, REJ, RTU, DREQ, DREP, SIDR_REQ, SIDR_REP -> NO_MESSAGE;
        };
    }

    /** A datagram of this message with nothing but its header. */
    public byte[] create(int bytes, long transactionId) {
        return MadHeaderLayout.create(
                bytes, MadHeaderLayout.CONNECTION_MANAGEMENT, MadHeaderLayout.SEND, attributeId, transactionId);
    }
}
