package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.WorkCompletion.Opcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The operations of a reliable connection, for cases that are made out of all of them. */
public enum Operation {
    SEND("send", Opcode.SEND, null),
    SEND_WITH_IMM("send-imm", Opcode.SEND, null),
    WRITE("write", Opcode.RDMA_WRITE, Access.REMOTE_WRITE),
    WRITE_WITH_IMM("write-imm", Opcode.RDMA_WRITE, Access.REMOTE_WRITE),
    READ("read", Opcode.RDMA_READ, Access.REMOTE_READ),
    COMPARE_AND_SWAP("cmp-swap", Opcode.COMP_SWAP, Access.REMOTE_ATOMIC),
    FETCH_AND_ADD("fetch-add", Opcode.FETCH_ADD, Access.REMOTE_ATOMIC);

    /** The immediate data of every request made here. */
    public static final int IMMEDIATE = 0xcafe_babe;

    /** What atomics made here add to a zero, or put in its place. */
    public static final long ADDEND = 0x0102_0304_0506_0708L;

    private final String label;
    private final Opcode opcode;
    private final Optional<Access> right;

    Operation(String label, Opcode opcode, @org.jspecify.annotations.Nullable Access right) {
        this.label = label;
        this.opcode = opcode;
        this.right = Optional.ofNullable(right);
    }

    /** Its name in the names of cases. */
    public String label() {
        return label;
    }

    /** The opcode of its completion at the requester. */
    public Opcode opcode() {
        return opcode;
    }

    /** The right it needs of the responder's QP and region; none for sends. */
    public Optional<Access> right() {
        return right;
    }

    public boolean consumesReceive() {
        return this == SEND || this == SEND_WITH_IMM || this == WRITE_WITH_IMM;
    }

    public boolean hasImmediate() {
        return this == SEND_WITH_IMM || this == WRITE_WITH_IMM;
    }

    public boolean isAtomic() {
        return this == COMPARE_AND_SWAP || this == FETCH_AND_ADD;
    }

    /** Whether its result lands in local memory. */
    public boolean writesLocally() {
        return this == READ || isAtomic();
    }

    /** The operations that name remote memory. */
    public static Set<Operation> remote() {
        return EnumSet.range(WRITE, FETCH_AND_ADD);
    }

    /** A signalled request aimed at a byte of the region of {@code to}. */
    public SendWorkRequest request(long wrId, AnySide<?> to, long offsetBytes, Sge... segments) {
        return request(wrId, to.at(offsetBytes), to.region().rkey(), List.of(segments));
    }

    /** A signalled request that names no remote memory. */
    public SendWorkRequest request(long wrId, Sge... segments) {
        return request(wrId, 0, 0, List.of(segments));
    }

    /** A signalled request. */
    public SendWorkRequest request(long wrId, long remoteAddress, int rkey, List<Sge> segments) {
        return request(wrId, SendFlags.SIGNALLED, remoteAddress, rkey, segments);
    }

    /** A request with these flags; sends ignore the remote address and key. */
    public SendWorkRequest request(long wrId, int flags, long remoteAddress, int rkey, List<Sge> segments) {
        return switch (this) {
            case SEND -> new SendWorkRequest.Send(wrId, flags, segments);
            case SEND_WITH_IMM -> new SendWorkRequest.SendWithImmediate(wrId, flags, segments, IMMEDIATE);
            case WRITE -> new SendWorkRequest.RdmaWrite(wrId, flags, segments, remoteAddress, rkey);
            case WRITE_WITH_IMM ->
                new SendWorkRequest.RdmaWriteWithImmediate(wrId, flags, segments, remoteAddress, rkey, IMMEDIATE);
            case READ -> new SendWorkRequest.RdmaRead(wrId, flags, segments, remoteAddress, rkey);
            case COMPARE_AND_SWAP ->
                new SendWorkRequest.CompareAndSwap(wrId, flags, segments, remoteAddress, rkey, 0, ADDEND);
            case FETCH_AND_ADD -> new SendWorkRequest.FetchAndAdd(wrId, flags, segments, remoteAddress, rkey, ADDEND);
        };
    }
}
