package io.hyperverbs.vmm.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/**
 * Links C functions and reads errno. The first argument of each linked function is {@link
 * #capture()}.
 */
@SuppressWarnings("restricted") // this package is where native access is allowed
final class CLibrary {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            CAPTURE.varHandle(PathElement.groupElement("errno")).withInvokeExactBehavior();
    private static final ThreadLocal<MemorySegment> CAPTURED =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CAPTURE));

    private CLibrary() {}

    static MethodHandle link(String name, FunctionDescriptor descriptor, Linker.Option... more) {
        return find(name, descriptor, more)
                .orElseThrow(() -> new IllegalStateException("the C library has no " + name));
    }

    static Optional<MethodHandle> find(String name, FunctionDescriptor descriptor, Linker.Option... more) {
        Linker.Option[] options = new Linker.Option[more.length + 1];
        options[0] = Linker.Option.captureCallState("errno");
        System.arraycopy(more, 0, options, 1, more.length);
        return LINKER.defaultLookup().find(name).map(address -> LINKER.downcallHandle(address, descriptor, options));
    }

    /** Where this thread's errno goes. */
    static MemorySegment capture() {
        return CAPTURED.get();
    }

    /** What the last call of this thread left, if it failed. */
    static int errno() {
        return (int) ERRNO.get(CAPTURED.get(), 0L);
    }

    /** Returns {@code result}, or throws if it is negative. */
    static int check(int result, String what) throws PosixException {
        if (result < 0) {
            throw new PosixException(what, errno());
        }
        return result;
    }

    /** A linked function declares no exception; what comes out of one is a bug. */
    static IllegalStateException bug(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(thrown);
    }
}
