package io.hyperverbs.verbs;

/** How posting and polling reach the HCA. The control path is the driver's own business. */
public enum DataPathKind {
    /** Rings and doorbells in mapped memory; no other domain's code runs (Liu 2006 §4.3). */
    BYPASS(0),
    /** Posts and completions travel in batches over one long-lived stream to the backend. */
    FORWARDED(1),
    /** Each post and each poll is a call to the backend. */
    FORWARDED_UNARY(2);

    private final int code;

    DataPathKind(int code) {
        this.code = code;
    }

    /** The number in messages. */
    public int code() {
        return code;
    }
}
