package io.hyperverbs.verbs;

/**
 * One completion ({@code ibv_wc}), filled by {@link CompletionQueue#poll}. The caller keeps and
 * reuses it. When {@link #status} is an error only {@link #wrId}, {@link #status}, {@link #qpn} and
 * {@link #vendorError} (with its details) are valid. Not for several threads at once.
 */
public final class WorkCompletion {
    /** {@code ibv_wc_opcode}, codes as in CQEs. */
    public enum Opcode {
        SEND(0),
        RDMA_WRITE(1),
        RDMA_READ(2),
        COMP_SWAP(3),
        FETCH_ADD(4),
        BIND_MW(5),
        LOCAL_INV(6),
        RECV(128),
        RECV_RDMA_WITH_IMM(129);

        private static final Opcode[] BY_CODE = new Opcode[256];

        static {
            for (Opcode opcode : values()) {
                BY_CODE[opcode.code] = opcode;
            }
        }

        private final int code;

        Opcode(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        /** The opcode with that code; an unknown code reads as {@link #SEND}. */
        public static Opcode of(int code) {
            Opcode opcode = BY_CODE[code & 0xff];
            return opcode == null ? SEND : opcode;
        }
    }

    /** {@code IBV_WC_GRH}. */
    public static final int FLAG_GRH = 1;

    /** {@code IBV_WC_WITH_INV}. */
    public static final int FLAG_WITH_INV = 1 << 3;

    /** {@code IBV_WC_WITH_IMM}. */
    public static final int FLAG_WITH_IMM = 1 << 1;

    private long wrId;
    private VerbsStatus status = VerbsStatus.SUCCESS;
    private Opcode opcode = Opcode.SEND;
    private int byteCount;
    private int qpn;
    private int immediate;
    private int sourceQpn;
    private int sourceLid;
    private int serviceLevel;
    private int pkeyIndex;
    private boolean hasGrh;
    private boolean hasImmediate;
    private boolean hasInvalidatedKey;
    private VendorError vendorError = VendorError.NONE;
    private int faultKey;
    private int faultPd;
    private long faultAddress;
    private long faultLengthBytes;

    /** Fills the object; for drivers. */
    public void fill(long wrId, VerbsStatus status, Opcode opcode, int byteCount, int qpn) {
        this.wrId = wrId;
        this.status = status;
        this.opcode = opcode;
        this.byteCount = byteCount;
        this.qpn = qpn;
        this.hasImmediate = false;
        this.hasInvalidatedKey = false;
        this.immediate = 0;
        this.sourceQpn = 0;
        this.vendorError = VendorError.NONE;
    }

    /** Adds immediate data in host order; for drivers, after {@link #fill}. */
    public void fillImmediate(int immediate) {
        this.immediate = immediate;
        this.hasImmediate = true;
    }

    /** Adds where a datagram came from; for drivers, after {@link #fill}. */
    public void fillSource(int sourceQpn, int sourceLid, int serviceLevel, int pkeyIndex, boolean hasGrh) {
        this.sourceQpn = sourceQpn;
        this.sourceLid = sourceLid;
        this.serviceLevel = serviceLevel;
        this.pkeyIndex = pkeyIndex;
        this.hasGrh = hasGrh;
    }

    /** Adds the key that a send with invalidate ended; for drivers, after {@link #fill}. */
    public void fillInvalidated(int rkey) {
        this.immediate = rkey;
        this.hasInvalidatedKey = true;
    }

    /** Adds which check failed on what; for drivers, after {@link #fill}. */
    public void fillFault(VendorError error, int key, int pd, long address, long lengthBytes) {
        this.vendorError = error;
        this.faultKey = key;
        this.faultPd = pd;
        this.faultAddress = address;
        this.faultLengthBytes = lengthBytes;
    }

    public long wrId() {
        return wrId;
    }

    public VerbsStatus status() {
        return status;
    }

    public Opcode opcode() {
        return opcode;
    }

    /** Bytes received, or read by RDMA_READ and atomics. */
    public int byteCount() {
        return byteCount;
    }

    public int qpn() {
        return qpn;
    }

    /** Immediate data in host order, valid with {@link #hasImmediate}. */
    public int immediate() {
        return immediate;
    }

    public boolean hasImmediate() {
        return hasImmediate;
    }

    /** QPN of the sender ({@code src_qp}); for a received datagram, else 0. */
    public int sourceQpn() {
        return sourceQpn;
    }

    /** LID of the sender ({@code slid}); for a received datagram, else 0. */
    public int sourceLid() {
        return sourceQpn == 0 ? 0 : sourceLid;
    }

    /** Service level it was sent with ({@code sl}); for a received datagram, else 0. */
    public int serviceLevel() {
        return sourceQpn == 0 ? 0 : serviceLevel;
    }

    /** Index of the P_Key it came with ({@code pkey_index}); for a received datagram, else 0. */
    public int pkeyIndex() {
        return sourceQpn == 0 ? 0 : pkeyIndex;
    }

    /** Whether the first 40 bytes of a received datagram are a header ({@code IBV_WC_GRH}). */
    public boolean hasGrh() {
        return sourceQpn != 0 && hasGrh;
    }

    /**
     * Low bits of the LID it was sent to ({@code dlid_path_bits}); 0, as a port has one LID (LMC
     * 0).
     */
    public int destinationPathBits() {
        return 0;
    }

    /** Which of the fields are valid ({@code wc_flags}): {@link #FLAG_GRH} and others. */
    public int flags() {
        return (hasGrh() ? FLAG_GRH : 0) | (hasImmediate ? FLAG_WITH_IMM : 0) | (hasInvalidatedKey ? FLAG_WITH_INV : 0);
    }

    /** The key of this domain's that the message ended, valid with {@link #hasInvalidatedKey}. */
    public int invalidatedKey() {
        return immediate;
    }

    /** Whether the message ended a window ({@code IBV_WC_WITH_INV}). */
    public boolean hasInvalidatedKey() {
        return hasInvalidatedKey;
    }

    /** Which check failed ({@code vendor_err}). */
    public VendorError vendorError() {
        return vendorError;
    }

    public int faultKey() {
        return faultKey;
    }

    public int faultPd() {
        return faultPd;
    }

    public long faultAddress() {
        return faultAddress;
    }

    public long faultLengthBytes() {
        return faultLengthBytes;
    }

    /** The status in words with the reason, as tools print it. Allocates. */
    public String explain() {
        if (status == VerbsStatus.SUCCESS) {
            return "SUCCESS";
        }
        String reason = vendorError.explain(faultKey, faultPd, faultAddress, faultLengthBytes);
        return status + " " + status.text() + (reason.isEmpty() ? "" : ": " + reason);
    }

    @Override
    public String toString() {
        return opcode + " wr_id=" + wrId + " qp=0x" + Integer.toHexString(qpn) + " " + explain();
    }
}
