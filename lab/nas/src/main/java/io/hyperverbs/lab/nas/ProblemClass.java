package io.hyperverbs.lab.nas;

/** Sizes of a kernel: sample, workstation, and the smallest of those that are compared (NAS-95-020, section 4). */
public enum ProblemClass {
    S,
    W,
    A
}
