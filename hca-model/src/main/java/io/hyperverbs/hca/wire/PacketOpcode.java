package io.hyperverbs.hca.wire;

import static io.hyperverbs.hca.wire.PacketOpcode.Header.AETH;
import static io.hyperverbs.hca.wire.PacketOpcode.Header.ATOMIC_ACK_ETH;
import static io.hyperverbs.hca.wire.PacketOpcode.Header.ATOMIC_ETH;
import static io.hyperverbs.hca.wire.PacketOpcode.Header.CNP_RESERVED;
import static io.hyperverbs.hca.wire.PacketOpcode.Header.DETH;
import static io.hyperverbs.hca.wire.PacketOpcode.Header.IETH;
import static io.hyperverbs.hca.wire.PacketOpcode.Header.IMM_DT;
import static io.hyperverbs.hca.wire.PacketOpcode.Header.RETH;
import static io.hyperverbs.hca.wire.PacketOpcode.Header.XRC_ETH;
import static io.hyperverbs.hca.wire.PacketOpcode.Payload.FULL_MTU;
import static io.hyperverbs.hca.wire.PacketOpcode.Payload.NONE;
import static io.hyperverbs.hca.wire.PacketOpcode.Payload.ONE_TO_MTU;
import static io.hyperverbs.hca.wire.PacketOpcode.Payload.ZERO_TO_MTU;
import static io.hyperverbs.hca.wire.PacketOpcode.Place.FIRST;
import static io.hyperverbs.hca.wire.PacketOpcode.Place.LAST;
import static io.hyperverbs.hca.wire.PacketOpcode.Place.MIDDLE;
import static io.hyperverbs.hca.wire.PacketOpcode.Place.ONLY;

import java.util.List;

/**
 * The table of BTH opcodes: one row for each that is spoken here, as in IBA vol. 1, 9.2 and 9.3,
 * with annexes A14 (XRC) and A17 (CNP). A row has the code, what the packet is, its place in its
 * message, how much it carries, and its headers after the BTH in their order on the wire.
 *
 * <p>{@link PacketTable} answers from these rows for whatever opcode a packet brings.
 */
public enum PacketOpcode {
    RC_SEND_FIRST(0x00, Kind.SEND, FIRST, FULL_MTU),
    RC_SEND_MIDDLE(0x01, Kind.SEND, MIDDLE, FULL_MTU),
    RC_SEND_LAST(0x02, Kind.SEND, LAST, ONE_TO_MTU),
    RC_SEND_LAST_WITH_IMMEDIATE(0x03, Kind.SEND, LAST, ONE_TO_MTU, IMM_DT),
    RC_SEND_ONLY(0x04, Kind.SEND, ONLY, ZERO_TO_MTU),
    RC_SEND_ONLY_WITH_IMMEDIATE(0x05, Kind.SEND, ONLY, ZERO_TO_MTU, IMM_DT),
    RC_RDMA_WRITE_FIRST(0x06, Kind.WRITE, FIRST, FULL_MTU, RETH),
    RC_RDMA_WRITE_MIDDLE(0x07, Kind.WRITE, MIDDLE, FULL_MTU),
    RC_RDMA_WRITE_LAST(0x08, Kind.WRITE, LAST, ONE_TO_MTU),
    RC_RDMA_WRITE_LAST_WITH_IMMEDIATE(0x09, Kind.WRITE, LAST, ONE_TO_MTU, IMM_DT),
    RC_RDMA_WRITE_ONLY(0x0a, Kind.WRITE, ONLY, ZERO_TO_MTU, RETH),
    RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(0x0b, Kind.WRITE, ONLY, ZERO_TO_MTU, RETH, IMM_DT),
    RC_RDMA_READ_REQUEST(0x0c, Kind.READ_REQUEST, ONLY, NONE, RETH),
    RC_RDMA_READ_RESPONSE_FIRST(0x0d, Kind.READ_RESPONSE, FIRST, FULL_MTU, AETH),
    RC_RDMA_READ_RESPONSE_MIDDLE(0x0e, Kind.READ_RESPONSE, MIDDLE, FULL_MTU),
    RC_RDMA_READ_RESPONSE_LAST(0x0f, Kind.READ_RESPONSE, LAST, ONE_TO_MTU, AETH),
    RC_RDMA_READ_RESPONSE_ONLY(0x10, Kind.READ_RESPONSE, ONLY, ZERO_TO_MTU, AETH),
    RC_ACKNOWLEDGE(0x11, Kind.ACK, ONLY, NONE, AETH),
    RC_ATOMIC_ACKNOWLEDGE(0x12, Kind.ATOMIC_ACK, ONLY, NONE, AETH, ATOMIC_ACK_ETH),
    RC_COMPARE_SWAP(0x13, Kind.COMPARE_SWAP, ONLY, NONE, ATOMIC_ETH),
    RC_FETCH_ADD(0x14, Kind.FETCH_ADD, ONLY, NONE, ATOMIC_ETH),
    RC_SEND_LAST_WITH_INVALIDATE(0x16, Kind.SEND, LAST, ONE_TO_MTU, IETH),
    RC_SEND_ONLY_WITH_INVALIDATE(0x17, Kind.SEND, ONLY, ZERO_TO_MTU, IETH),

    UC_SEND_FIRST(0x20, Kind.SEND, FIRST, FULL_MTU),
    UC_SEND_MIDDLE(0x21, Kind.SEND, MIDDLE, FULL_MTU),
    UC_SEND_LAST(0x22, Kind.SEND, LAST, ONE_TO_MTU),
    UC_SEND_LAST_WITH_IMMEDIATE(0x23, Kind.SEND, LAST, ONE_TO_MTU, IMM_DT),
    UC_SEND_ONLY(0x24, Kind.SEND, ONLY, ZERO_TO_MTU),
    UC_SEND_ONLY_WITH_IMMEDIATE(0x25, Kind.SEND, ONLY, ZERO_TO_MTU, IMM_DT),
    UC_RDMA_WRITE_FIRST(0x26, Kind.WRITE, FIRST, FULL_MTU, RETH),
    UC_RDMA_WRITE_MIDDLE(0x27, Kind.WRITE, MIDDLE, FULL_MTU),
    UC_RDMA_WRITE_LAST(0x28, Kind.WRITE, LAST, ONE_TO_MTU),
    UC_RDMA_WRITE_LAST_WITH_IMMEDIATE(0x29, Kind.WRITE, LAST, ONE_TO_MTU, IMM_DT),
    UC_RDMA_WRITE_ONLY(0x2a, Kind.WRITE, ONLY, ZERO_TO_MTU, RETH),
    UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(0x2b, Kind.WRITE, ONLY, ZERO_TO_MTU, RETH, IMM_DT),

    UD_SEND_ONLY(0x64, Kind.SEND, ONLY, ZERO_TO_MTU, DETH),
    UD_SEND_ONLY_WITH_IMMEDIATE(0x65, Kind.SEND, ONLY, ZERO_TO_MTU, DETH, IMM_DT),

    CNP(0x81, Kind.CNP, ONLY, NONE, CNP_RESERVED),

    XRC_SEND_FIRST(0xa0, Kind.SEND, FIRST, FULL_MTU, XRC_ETH),
    XRC_SEND_MIDDLE(0xa1, Kind.SEND, MIDDLE, FULL_MTU, XRC_ETH),
    XRC_SEND_LAST(0xa2, Kind.SEND, LAST, ONE_TO_MTU, XRC_ETH),
    XRC_SEND_LAST_WITH_IMMEDIATE(0xa3, Kind.SEND, LAST, ONE_TO_MTU, XRC_ETH, IMM_DT),
    XRC_SEND_ONLY(0xa4, Kind.SEND, ONLY, ZERO_TO_MTU, XRC_ETH),
    XRC_SEND_ONLY_WITH_IMMEDIATE(0xa5, Kind.SEND, ONLY, ZERO_TO_MTU, XRC_ETH, IMM_DT),
    XRC_RDMA_WRITE_FIRST(0xa6, Kind.WRITE, FIRST, FULL_MTU, XRC_ETH, RETH),
    XRC_RDMA_WRITE_MIDDLE(0xa7, Kind.WRITE, MIDDLE, FULL_MTU, XRC_ETH),
    XRC_RDMA_WRITE_LAST(0xa8, Kind.WRITE, LAST, ONE_TO_MTU, XRC_ETH),
    XRC_RDMA_WRITE_LAST_WITH_IMMEDIATE(0xa9, Kind.WRITE, LAST, ONE_TO_MTU, XRC_ETH, IMM_DT),
    XRC_RDMA_WRITE_ONLY(0xaa, Kind.WRITE, ONLY, ZERO_TO_MTU, XRC_ETH, RETH),
    XRC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(0xab, Kind.WRITE, ONLY, ZERO_TO_MTU, XRC_ETH, RETH, IMM_DT),
    XRC_RDMA_READ_REQUEST(0xac, Kind.READ_REQUEST, ONLY, NONE, XRC_ETH, RETH),
    XRC_RDMA_READ_RESPONSE_FIRST(0xad, Kind.READ_RESPONSE, FIRST, FULL_MTU, AETH),
    XRC_RDMA_READ_RESPONSE_MIDDLE(0xae, Kind.READ_RESPONSE, MIDDLE, FULL_MTU),
    XRC_RDMA_READ_RESPONSE_LAST(0xaf, Kind.READ_RESPONSE, LAST, ONE_TO_MTU, AETH),
    XRC_RDMA_READ_RESPONSE_ONLY(0xb0, Kind.READ_RESPONSE, ONLY, ZERO_TO_MTU, AETH),
    XRC_ACKNOWLEDGE(0xb1, Kind.ACK, ONLY, NONE, AETH),
    XRC_ATOMIC_ACKNOWLEDGE(0xb2, Kind.ATOMIC_ACK, ONLY, NONE, AETH, ATOMIC_ACK_ETH),
    XRC_COMPARE_SWAP(0xb3, Kind.COMPARE_SWAP, ONLY, NONE, XRC_ETH, ATOMIC_ETH),
    XRC_FETCH_ADD(0xb4, Kind.FETCH_ADD, ONLY, NONE, XRC_ETH, ATOMIC_ETH),
    XRC_SEND_LAST_WITH_INVALIDATE(0xb6, Kind.SEND, LAST, ONE_TO_MTU, XRC_ETH, IETH),
    XRC_SEND_ONLY_WITH_INVALIDATE(0xb7, Kind.SEND, ONLY, ZERO_TO_MTU, XRC_ETH, IETH);

    /** What a packet is for. */
    public enum Kind {
        /** Not in the table. */
        UNKNOWN,
        SEND,
        WRITE,
        READ_REQUEST,
        COMPARE_SWAP,
        FETCH_ADD,
        READ_RESPONSE,
        ACK,
        ATOMIC_ACK,
        CNP;

        /** Whether the responder takes it, in the order of PSNs. */
        public boolean isRequest() {
            return switch (this) {
                case SEND, WRITE, READ_REQUEST, COMPARE_SWAP, FETCH_ADD -> true;
                case UNKNOWN, READ_RESPONSE, ACK, ATOMIC_ACK, CNP -> false;
            };
        }

        /** Whether it answers a request; the requester takes it. */
        public boolean isResponse() {
            return this == READ_RESPONSE || this == ACK || this == ATOMIC_ACK;
        }
    }

    /** Where a packet stands in its message. */
    public enum Place {
        FIRST(0),
        MIDDLE(1),
        LAST(2),
        ONLY(3);

        /** How many there are. */
        static final int COUNT = 4;

        private final int index;

        Place(int index) {
            this.index = index;
        }

        /** 0 to 3, for tables. */
        int index() {
            return index;
        }

        /** The place of packet {@code index}, counted from 0, in a message of so many packets. */
        public static Place of(long index, long packets) {
            if (index == packets - 1) {
                return index == 0 ? ONLY : LAST;
            }
            return index == 0 ? FIRST : MIDDLE;
        }

        public boolean beginsMessage() {
            return this == FIRST || this == ONLY;
        }

        public boolean endsMessage() {
            return this == LAST || this == ONLY;
        }
    }

    /** How many bytes a packet carries, without padding. */
    public enum Payload {
        NONE,
        FULL_MTU,
        ONE_TO_MTU,
        ZERO_TO_MTU;

        /** Whether so many bytes are allowed on a path of this MTU. */
        public boolean allows(int payloadBytes, int mtuBytes) {
            return switch (this) {
                case NONE -> payloadBytes == 0;
                case FULL_MTU -> payloadBytes == mtuBytes;
                case ONE_TO_MTU -> payloadBytes >= 1 && payloadBytes <= mtuBytes;
                case ZERO_TO_MTU -> payloadBytes >= 0 && payloadBytes <= mtuBytes;
            };
        }
    }

    /** Headers after the BTH, in their order on the wire. */
    public enum Header {
        XRC_ETH(0, XrcEthLayout.SIZE_BYTES),
        DETH(1, DethLayout.SIZE_BYTES),
        RETH(2, RethLayout.SIZE_BYTES),
        ATOMIC_ETH(3, AtomicEthLayout.SIZE_BYTES),
        AETH(4, AethLayout.SIZE_BYTES),
        ATOMIC_ACK_ETH(5, AtomicAckEthLayout.SIZE_BYTES),
        IMM_DT(6, ImmDtLayout.SIZE_BYTES),
        IETH(7, IethLayout.SIZE_BYTES),
        /** The zeros of a CNP. */
        CNP_RESERVED(8, CnpLayout.SIZE_BYTES - BthLayout.SIZE_BYTES);

        /** How many there are. */
        static final int COUNT = 9;

        private final int index;
        private final int sizeBytes;

        Header(int index, int sizeBytes) {
            this.index = index;
            this.sizeBytes = sizeBytes;
        }

        /** 0 to 8, for tables. */
        int index() {
            return index;
        }

        public int sizeBytes() {
            return sizeBytes;
        }
    }

    private final int code;
    private final Kind kind;
    private final Place place;
    private final Payload payload;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is.
    private final List<Header> headers;

    PacketOpcode(int code, Kind kind, Place place, Payload payload, Header... headers) {
        this.code = code;
        this.kind = kind;
        this.place = place;
        this.payload = payload;
        this.headers = List.of(headers);
    }

    /** The eight bits in the BTH: transport in the upper three, operation in the lower five. */
    public int code() {
        return code;
    }

    public Kind kind() {
        return kind;
    }

    public Place place() {
        return place;
    }

    public Payload payload() {
        return payload;
    }

    /** Headers between BTH and payload. */
    public List<Header> headers() {
        return headers;
    }

    public boolean has(Header header) {
        return headers.contains(header);
    }
}
