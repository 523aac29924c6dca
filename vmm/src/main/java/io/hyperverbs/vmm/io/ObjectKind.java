package io.hyperverbs.vmm.io;

/** What a handle names; codes travel in messages. */
public enum ObjectKind {
    CONTEXT(0, "context", "close_device"),
    PD(1, "pd", "dealloc_pd"),
    REGION(2, "mr", "dereg_mr"),
    RING(3, "ring", "dereg_ring"),
    CQ(4, "cq", "destroy_cq"),
    QP(5, "qp", "destroy_qp"),
    SRQ(6, "srq", "destroy_srq"),
    WINDOW(7, "mw", "dealloc_mw"),
    AH(8, "ah", "destroy_ah");

    private final int code;
    private final String word;
    private final String destroyVerb;

    ObjectKind(int code, String word, String destroyVerb) {
        this.code = code;
        this.word = word;
        this.destroyVerb = destroyVerb;
    }

    /** The number in messages. */
    public int code() {
        return code;
    }

    /** What people call such an object. */
    public String word() {
        return word;
    }

    /** Name of the verb that ends one. */
    public String destroyVerb() {
        return destroyVerb;
    }
}
