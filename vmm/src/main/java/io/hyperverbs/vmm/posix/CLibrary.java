package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** What {@link CFunction}s of a thread say of errors. Any thread. */
final class CLibrary {
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final long ERRNO = CAPTURE.byteOffset(PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> CAPTURED =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CAPTURE));

    private CLibrary() {}

    /** Where this thread's errno goes. */
    static MemorySegment capture() {
        return CAPTURED.get();
    }

    /** What the last call of this thread left, if it failed. */
    static int errno() {
        return CAPTURED.get().get(JAVA_INT, ERRNO);
    }

    /** Returns {@code result}, or throws if it is negative. */
    static int check(int result, String what) throws PosixException {
        if (result < 0) {
            throw new PosixException(what, errno());
        }
        return result;
    }
}
