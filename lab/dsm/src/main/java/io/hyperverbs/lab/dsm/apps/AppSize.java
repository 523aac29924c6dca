package io.hyperverbs.lab.dsm.apps;

/** How much an application works on. */
public enum AppSize {
    /** For tests: less than 0.2 s on one node. */
    SMALL,

    /** For measurements: about a second on one node, and 4 MiB of shared memory for all applications together. */
    STANDARD
}
