package io.hyperverbs.hca.wire;

/**
 * The syndrome of an {@link AethLayout}: what kind of answer it is in bits 6 and 5, and its value in
 * bits 4 to 0; bit 7 is reserved (IBA vol. 1, 9.7.5 and 9.7.7). Callable from any thread.
 */
public final class AethSyndrome {
    /** An ACK; the value is a code of credits. */
    public static final int ACK = 0;

    /** Receiver not ready; the value is a code of the time to wait. */
    public static final int RNR_NAK = 1;

    /** Means nothing; a requester drops the packet. */
    public static final int RESERVED = 2;

    /** A NAK; the value is one of the codes below. */
    public static final int NAK = 3;

    public static final int PSN_SEQUENCE_ERROR = 0;
    public static final int INVALID_REQUEST = 1;
    public static final int REMOTE_ACCESS_ERROR = 2;
    public static final int REMOTE_OPERATIONAL_ERROR = 3;
    public static final int INVALID_RD_REQUEST = 4;

    /** Code of an ACK that says nothing of credits, as with an SRQ. */
    public static final int INVALID_CREDITS = 31;

    /** What {@link #credits} says of {@link #INVALID_CREDITS}. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final int VALUE_BITS = 5;
    private static final int VALUE = 31;

    /** Receive WQEs that a code stands for: 1, then twice as many with one step between. */
    private static final int[] CREDITS = {
        0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768
    };

    private AethSyndrome() {}

    /** {@link #ACK}, {@link #RNR_NAK}, {@link #NAK} or {@link #RESERVED}. */
    public static int type(int syndrome) {
        return syndrome >> VALUE_BITS & 3;
    }

    /** The five bits that go with the type. */
    public static int value(int syndrome) {
        return syndrome & VALUE;
    }

    /** Whether it means nothing to a requester of RC or XRC, which drops the packet; bit 7 is not looked at. */
    public static boolean isReserved(int syndrome) {
        return type(syndrome) == RESERVED || (type(syndrome) == NAK && value(syndrome) > REMOTE_OPERATIONAL_ERROR);
    }

    /** An ACK without credits. */
    public static int ack() {
        return ACK << VALUE_BITS | INVALID_CREDITS;
    }

    /** An ACK that tells the most credits that have a code and are not more than there are. */
    public static int ack(int receives) {
        int code = 0;
        while (code + 1 < CREDITS.length && CREDITS[code + 1] <= receives) {
            code++;
        }
        return ACK << VALUE_BITS | code;
    }

    /** Receive WQEs that an ACK with this code tells of; {@link #UNLIMITED} if it tells nothing. */
    public static int credits(int code) {
        return code == INVALID_CREDITS ? UNLIMITED : CREDITS[code];
    }

    /** An RNR NAK with a 5-bit code of the time to wait. */
    public static int rnrNak(int timerCode) {
        return RNR_NAK << VALUE_BITS | (timerCode & VALUE);
    }

    /** A NAK with a code such as {@link #REMOTE_ACCESS_ERROR}. */
    public static int nak(int code) {
        return NAK << VALUE_BITS | (code & VALUE);
    }
}
