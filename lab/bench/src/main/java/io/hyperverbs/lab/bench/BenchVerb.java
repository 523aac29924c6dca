package io.hyperverbs.lab.bench;

/** What a round measures. */
public enum BenchVerb {
    /** RDMA write, from post to completion. */
    WRITE("write", "post-to-completion"),
    /** RDMA read, from post to completion. */
    READ("read", "post-to-completion"),
    /** Fetch-and-add of 8 bytes, from post to completion. */
    FETCH_ADD("fetch-add", "post-to-completion"),
    /** Send and receive to and fro; half the round trip. */
    SEND("send", "half-rtt");

    private final String word;
    private final String kind;

    BenchVerb(String word, String kind) {
        this.word = word;
        this.kind = kind;
    }

    /** The name in outputs and options. */
    public String word() {
        return word;
    }

    /** What the time spans. */
    public String kind() {
        return kind;
    }
}
