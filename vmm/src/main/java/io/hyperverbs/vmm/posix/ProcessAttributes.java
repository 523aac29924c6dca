package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Attributes that this process sets for itself, mostly by {@code prctl}. */
public final class ProcessAttributes {
    private static final int PR_SET_PDEATHSIG = 1;
    private static final int PR_SET_DUMPABLE = 4;

    private static final int SIGKILL = 9;

    private static final MethodHandle PRCTL = CLibrary.link(
            "prctl",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));

    private static final MethodHandle SETSID = CLibrary.link("setsid", FunctionDescriptor.of(JAVA_INT));

    private static final MethodHandle UMASK = CLibrary.link("umask", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    /** Of group and others. */
    private static final int ALL_RIGHTS = 0077;

    private ProcessAttributes() {}

    /**
     * Files, folders and sockets that this process makes, and those it starts, are closed to other
     * users unless it says otherwise.
     */
    public static void closeNewFiles() {
        try {
            int ignored = (int) UMASK.invokeExact(CLibrary.capture(), ALL_RIGHTS);
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    /** Leaves the terminal and its signals; EPERM if this process leads a group already. */
    public static void newSession() throws PosixException {
        try {
            CLibrary.check((int) SETSID.invokeExact(CLibrary.capture()), "setsid");
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
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
        try {
            return CLibrary.check((int) PRCTL.invokeExact(CLibrary.capture(), option, argument, 0L, 0L, 0L), what);
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }
}
