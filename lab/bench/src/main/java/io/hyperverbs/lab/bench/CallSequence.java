package io.hyperverbs.lab.bench;

import java.util.List;

/** What is timed: verbs one after another, each a step. */
public enum CallSequence {
    MR("mr", true, "reg_mr,dereg_mr"),
    PD("pd", false, "alloc_pd,dealloc_pd"),
    CQ("cq", false, "create_cq,destroy_cq"),
    QP("qp", false, "create_qp,modify_qp INIT,modify_qp RTR,modify_qp RTS,destroy_qp"),
    /** {@link #MR}, as the first verbs of a guest that was not used before. */
    FIRST("first", false, "first reg_mr,first dereg_mr"),
    /** An RDMA write of 8 bytes, until the program that slept is awake and has its completion. */
    WRITE("write", false, "write"),
    /** A message of 8 bytes, until the program that slept is awake and has its receive. */
    SEND("send", false, "send/recv"),
    /** A connection from the making of its queue pair to the end of that, one after another. */
    CYCLE("cycle", false, "cycle"),
    /** The same in its steps. */
    STEPS("steps", false, "create_qp,resolve,connect,disconnect,destroy"),
    /** {@link #UNDER_WAY} connections at a time; times are for each of them. */
    MANY("many", false, "connect x16,disconnect x16,cycle x16");

    /** Connections of {@link #MANY} that are under way at a time. */
    public static final int UNDER_WAY = 16;

    private final String word;
    private final boolean hasSizes;
    private final String steps;

    CallSequence(String word, boolean hasSizes, String steps) {
        this.word = word;
        this.hasSizes = hasSizes;
        this.steps = steps;
    }

    /** The name in options. */
    public String word() {
        return word;
    }

    /** Whether it is measured for sizes of memory; else it takes a page, or none. */
    public boolean hasSizes() {
        return hasSizes;
    }

    /** What is timed, in its order: names in tables. */
    public List<String> steps() {
        return List.of(steps.split(",", -1));
    }
}
