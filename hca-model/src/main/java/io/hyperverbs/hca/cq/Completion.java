package io.hyperverbs.hca.cq;

import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.verbs.VerbsStatus;

/** A completion about to be written; reused. Engine thread only. */
public final class Completion {
    long wrId;
    int qpn;
    int statusCode;
    int opcode;
    int byteCount;
    int flags;
    int immediate;
    int sqHead;
    boolean solicited;
    int sourceQpn;
    int sourceLid;
    int serviceLevel;
    int pkeyIndex;
    final CompletionError error = new CompletionError();

    /** Begins one; everything else is zero. */
    public Completion begin(int qpn, long wrId, int opcode) {
        this.qpn = qpn;
        this.wrId = wrId;
        this.opcode = opcode;
        this.statusCode = 0;
        this.byteCount = 0;
        this.flags = 0;
        this.immediate = 0;
        this.sqHead = 0;
        this.solicited = false;
        this.sourceQpn = 0;
        return this;
    }

    public Completion bytes(long count) {
        byteCount = (int) count;
        return this;
    }

    public Completion immediate(int value) {
        flags |= CqeLayout.FLAG_IMMEDIATE;
        immediate = value;
        return this;
    }

    /** The receiver's key that its message ended. */
    public Completion invalidated(int rkey) {
        flags |= CqeLayout.FLAG_INVALIDATED;
        immediate = rkey;
        return this;
    }

    /** Send side: slots before {@code index} are free. */
    public Completion sqHead(int index) {
        sqHead = index;
        return this;
    }

    /** Receive side: number of the shared queue it was taken from, 0 for none. */
    public Completion srqn(int number) {
        sqHead = number;
        return this;
    }

    public Completion solicited(boolean yes) {
        solicited = yes;
        flags |= yes ? CqeLayout.FLAG_SOLICITED : 0;
        return this;
    }

    /** A received datagram: where it came from. */
    public Completion source(int sourceQpn, int sourceLid, int serviceLevel, int pkeyIndex, boolean hasGrh) {
        this.sourceQpn = sourceQpn;
        this.sourceLid = sourceLid;
        this.serviceLevel = serviceLevel;
        this.pkeyIndex = pkeyIndex;
        flags |= hasGrh ? CqeLayout.FLAG_GRH : 0;
        return this;
    }

    /** Any error counts as solicited. */
    public Completion failed(VerbsStatus status, CompletionError why) {
        statusCode = status.code();
        error.copyFrom(why);
        solicited = true;
        return this;
    }
}
