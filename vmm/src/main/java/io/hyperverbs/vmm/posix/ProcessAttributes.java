package io.hyperverbs.vmm.posix;

/** Attributes that this process sets for itself, mostly by {@code prctl}. */
public final class ProcessAttributes {
    private static final int PR_SET_PDEATHSIG = 1;
    private static final int PR_SET_DUMPABLE = 4;

    private static final int SIGKILL = 9;

    private static final CFunction PRCTL = CFunction.of("prctl");
    private static final CFunction SETSID = CFunction.of("setsid");
    private static final CFunction UMASK = CFunction.of("umask");

    /** Of group and others. */
    private static final int ALL_RIGHTS = 0077;

    private ProcessAttributes() {}

    /**
     * Files, folders and sockets that this process makes, and those it starts, are closed to other
     * users unless it says otherwise.
     */
    public static void closeNewFiles() {
        int _ = UMASK.call(ALL_RIGHTS);
    }

    /** Leaves the terminal and its signals; EPERM if this process leads a group already. */
    public static void newSession() throws PosixException {
        CLibrary.check(SETSID.call(), "setsid");
    }

    /** No other process of this user may read this one's memory or descriptors any more. */
    public static void forbidInspection() throws PosixException {
        prctl(PR_SET_DUMPABLE, 0, "prctl PR_SET_DUMPABLE");
    }

    /** The calling thread, and the program it becomes, are killed when the parent ends. */
    public static void dieWithParent() throws PosixException {
        prctl(PR_SET_PDEATHSIG, SIGKILL, "prctl PR_SET_PDEATHSIG");
    }

    private static int prctl(int option, long argument, String what) throws PosixException {
        return CLibrary.check(PRCTL.call(option, argument), what);
    }
}
