package io.hyperverbs.vmm.io;

/** The verbs of the data path, by the names that the verb log of a domain has for them. */
public enum DataVerb {
    POST_SEND("post_send"),
    POST_RECV("post_recv"),
    POST_SRQ_RECV("post_srq_recv"),
    POLL_CQ("poll_cq"),
    REQ_NOTIFY_CQ("req_notify_cq");

    private final String verb;

    DataVerb(String verb) {
        this.verb = verb;
    }

    /** Its name in the words of the C verbs. */
    public String verb() {
        return verb;
    }
}
