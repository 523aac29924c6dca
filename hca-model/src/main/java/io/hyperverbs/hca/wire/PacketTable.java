package io.hyperverbs.hca.wire;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketOpcode.Payload;
import io.hyperverbs.hca.wire.PacketOpcode.Place;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Answers from the rows of {@link PacketOpcode}, by lookup in arrays and without allocation. An
 * opcode is the eight bits of a BTH, whatever they are: what is not in the table is {@link
 * Kind#UNKNOWN}, has no header but the BTH, no payload and no transport, and follows nothing.
 * Callable from any thread.
 */
public final class PacketTable {
    /** There is no opcode for what was asked; or, of a queue pair, no request came before. */
    public static final int NO_OPCODE = -1;

    // Transports, with the numbers that Qp has for them.
    public static final int RC = 0;
    public static final int XRC = 1;
    public static final int UC = 2;
    public static final int UD = 3;

    /** Transport of a CNP, and of what is not in the table. */
    public static final int NO_TRANSPORT = -1;

    /** Bytes of the longest headers, BTH included. */
    public static final int MAX_HEADER_BYTES =
            BthLayout.SIZE_BYTES + XrcEthLayout.SIZE_BYTES + AtomicEthLayout.SIZE_BYTES;

    private static final int CODES = 256;

    /** By the upper three bits of an opcode. */
    private static final int[] TRANSPORT = {RC, UC, NO_TRANSPORT, UD, NO_TRANSPORT, XRC, NO_TRANSPORT, NO_TRANSPORT};

    private static final @Nullable PacketOpcode[] ROW = new @Nullable PacketOpcode[CODES];
    private static final Kind[] KIND = new Kind[CODES];
    private static final Place[] PLACE = new Place[CODES];
    private static final Payload[] PAYLOAD = new Payload[CODES];
    private static final int[] HEADER_BYTES = new int[CODES];

    /** By header, then opcode; 0 where the packet has none. */
    private static final int[][] HEADER_OFFSET = new int[Header.COUNT][CODES];

    /** The operations of work requests: what kind of packets they make, and what the last of these has. */
    private record Work(int wqeOpcode, Kind kind, @Nullable Header trailer) {}

    private static final Work[] WORKS = {
        new Work(SendWqeLayout.OPCODE_SEND, Kind.SEND, null),
        new Work(SendWqeLayout.OPCODE_SEND_WITH_IMM, Kind.SEND, Header.IMM_DT),
        new Work(SendWqeLayout.OPCODE_SEND_WITH_INV, Kind.SEND, Header.IETH),
        new Work(SendWqeLayout.OPCODE_RDMA_WRITE, Kind.WRITE, null),
        new Work(SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM, Kind.WRITE, Header.IMM_DT),
        new Work(SendWqeLayout.OPCODE_RDMA_READ, Kind.READ_REQUEST, null),
        new Work(SendWqeLayout.OPCODE_COMPARE_AND_SWAP, Kind.COMPARE_SWAP, null),
        new Work(SendWqeLayout.OPCODE_FETCH_AND_ADD, Kind.FETCH_ADD, null),
    };
    private static final int WORK_CODES = 16;

    /** By transport, then opcode of the WQE, then place. */
    private static final int[][][] REQUEST = new int[UD + 1][WORK_CODES][Place.COUNT];

    /** By transport, then place. */
    private static final int[][] READ_RESPONSE = new int[UD + 1][Place.COUNT];

    private static final int[] ACK = new int[UD + 1];
    private static final int[] ATOMIC_ACK = new int[UD + 1];

    static {
        Arrays.fill(KIND, Kind.UNKNOWN);
        Arrays.fill(PLACE, Place.ONLY);
        Arrays.fill(PAYLOAD, Payload.NONE);
        Arrays.fill(HEADER_BYTES, BthLayout.SIZE_BYTES);
        for (PacketOpcode row : PacketOpcode.values()) {
            enter(row);
        }
        for (int transport = RC; transport <= UD; transport++) {
            for (int[] places : REQUEST[transport]) {
                Arrays.fill(places, NO_OPCODE);
            }
            for (Work work : WORKS) {
                enter(transport, work);
            }
            for (Place place : Place.values()) {
                READ_RESPONSE[transport][place.index()] = find(transport, Kind.READ_RESPONSE, place, null);
            }
            ACK[transport] = find(transport, Kind.ACK, Place.ONLY, null);
            ATOMIC_ACK[transport] = find(transport, Kind.ATOMIC_ACK, Place.ONLY, null);
        }
    }

    private PacketTable() {}

    private static void enter(PacketOpcode row) {
        int code = row.code();
        ROW[code] = row;
        KIND[code] = row.kind();
        PLACE[code] = row.place();
        PAYLOAD[code] = row.payload();
        for (Header header : row.headers()) {
            HEADER_OFFSET[header.index()][code] = HEADER_BYTES[code];
            HEADER_BYTES[code] += header.sizeBytes();
        }
    }

    private static void enter(int transport, Work work) {
        int[] places = REQUEST[transport][work.wqeOpcode];
        places[Place.ONLY.index()] = find(transport, work.kind, Place.ONLY, work.trailer);
        int last = find(transport, work.kind, Place.LAST, work.trailer);
        if (last != NO_OPCODE) {
            places[Place.FIRST.index()] = find(transport, work.kind, Place.FIRST, null);
            places[Place.MIDDLE.index()] = find(transport, work.kind, Place.MIDDLE, null);
            places[Place.LAST.index()] = last;
        }
    }

    private static int find(int transport, Kind kind, Place place, @Nullable Header trailer) {
        for (PacketOpcode row : PacketOpcode.values()) {
            if (transport(row.code()) == transport
                    && row.kind() == kind
                    && row.place() == place
                    && row.has(Header.IMM_DT) == (trailer == Header.IMM_DT)
                    && row.has(Header.IETH) == (trailer == Header.IETH)) {
                return row.code();
            }
        }
        return NO_OPCODE;
    }

    /** Its row, for names; null if it has none. */
    public static @Nullable PacketOpcode row(int opcode) {
        return ROW[opcode & 0xff];
    }

    public static boolean isKnown(int opcode) {
        return kind(opcode) != Kind.UNKNOWN;
    }

    public static Kind kind(int opcode) {
        return KIND[opcode & 0xff];
    }

    public static Place place(int opcode) {
        return PLACE[opcode & 0xff];
    }

    /** {@link #RC}, {@link #XRC}, {@link #UC}, {@link #UD} or {@link #NO_TRANSPORT}. */
    public static int transport(int opcode) {
        return isKnown(opcode) ? TRANSPORT[(opcode & 0xff) >> 5] : NO_TRANSPORT;
    }

    /** Bytes before the payload, BTH included. */
    public static int headerBytes(int opcode) {
        return HEADER_BYTES[opcode & 0xff];
    }

    public static boolean has(int opcode, Header header) {
        return headerOffset(opcode, header) != 0;
    }

    /** Where the header begins, counted from the BTH; 0 if the packet has none such. */
    public static int headerOffset(int opcode, Header header) {
        return HEADER_OFFSET[header.index()][opcode & 0xff];
    }

    /** Whether a packet may carry so many bytes, padding not counted, on a path of this MTU. */
    public static boolean allowsPayload(int opcode, int payloadBytes, int mtuBytes) {
        return PAYLOAD[opcode & 0xff].allows(payloadBytes, mtuBytes);
    }

    /**
     * Whether the responder takes a receive WQE at this packet: of a send at its first packet, of a
     * write with immediate at its last.
     */
    public static boolean takesReceive(int opcode) {
        return switch (kind(opcode)) {
            case SEND -> place(opcode).beginsMessage();
            case WRITE -> has(opcode, Header.IMM_DT);
            case UNKNOWN, READ_REQUEST, COMPARE_SWAP, FETCH_ADD, READ_RESPONSE, ACK, ATOMIC_ACK, CNP -> false;
        };
    }

    /**
     * Whether a responder that has just taken {@code previous} may take {@code opcode} next (IBA
     * vol. 1, 9.7.4): a message begins where none is in progress, and goes on with packets of
     * its own kind and transport to its last.
     *
     * @param previous opcode of the request before, or {@link #NO_OPCODE}
     * @return false for what is no request
     */
    public static boolean mayFollow(int previous, int opcode) {
        if (!kind(opcode).isRequest()) {
            return false;
        }
        boolean begins = place(opcode).beginsMessage();
        if (!isInProgress(previous)) {
            return begins;
        }
        return !begins && kind(previous) == kind(opcode) && transport(previous) == transport(opcode);
    }

    /** Whether more packets of a message must come after this request. */
    public static boolean isInProgress(int previous) {
        return previous != NO_OPCODE
                && kind(previous).isRequest()
                && !place(previous).endsMessage();
    }

    /**
     * The opcode of a packet of a work request.
     *
     * @param transport {@link #RC} to {@link #UD}
     * @param wqeOpcode 0 to 15; those of {@link SendWqeLayout} that go to a peer have packets
     * @return the opcode, or {@link #NO_OPCODE} where the transport has none
     */
    public static int request(int transport, int wqeOpcode, Place place) {
        return REQUEST[transport][wqeOpcode][place.index()];
    }

    /** The opcode of an answer to a read, or {@link #NO_OPCODE} where the transport has none. */
    public static int readResponse(int transport, Place place) {
        return READ_RESPONSE[transport][place.index()];
    }

    /** The opcode of an ACK or NAK, or {@link #NO_OPCODE} where the transport has none. */
    public static int acknowledge(int transport) {
        return ACK[transport];
    }

    /** The opcode of the answer to an atomic, or {@link #NO_OPCODE} where the transport has none. */
    public static int atomicAcknowledge(int transport) {
        return ATOMIC_ACK[transport];
    }
}
