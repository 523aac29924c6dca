package io.hyperverbs.lab.nas;

/**
 * Sizes of a kernel: sample, workstation, and the smallest of those that are compared (NAS-95-020, section 4). The arrays
 * of all ranks together take (MiB of heap, by {@link NasKernel#heapBytes}), and so this many guests of 64 MiB at least:
 * <pre>
 *       EP    IS        CG       FT         MG
 *  S    0     1         1        12         1
 *  W    0     16        7        24         55, 2 guests
 *  A    0     130, 4    25       384, 16    431, 16
 * </pre>
 */
public enum ProblemClass {
    S,
    W,
    A
}
