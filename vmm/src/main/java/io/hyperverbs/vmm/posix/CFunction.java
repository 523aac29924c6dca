package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Optional;

/**
 * A function of the C library that takes integers and addresses, seven at most, and returns one of them. What it says of
 * an error is in {@link CLibrary#errno}. Any thread; a call allocates nothing.
 *
 * <p>All are called in one shape, seven longs: for each shape of its own the JVM makes six classes, which takes 2 to 5 ms
 * of a process's start (docs/measurements/starts.md). The C calling conventions of x86-64 and AArch64 give each such
 * argument a place by its position, in which a function looks at as many bits as its parameter has, and at no place
 * beyond its last parameter. What it returns as an {@code int} is half of a register, the rest of which means nothing.
 *
 * <p>Memory goes by its address, so the caller keeps it until the call is over: a closed arena, or one that the garbage
 * collector frees, is not seen here.
 */
@SuppressWarnings("restricted") // this package is where native access is allowed
record CFunction(MethodHandle handle) {
    private static final int MOST_ARGUMENTS = 7;

    private static final Linker LINKER = Linker.nativeLinker();

    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(JAVA_LONG, arguments());

    /** As a variadic function, whose caller says on x86-64 that no argument is floating; others do not look at that. */
    private static final Linker.Option[] OPTIONS = {
        Linker.Option.captureCallState("errno"), Linker.Option.firstVariadicArg(1)
    };

    private static MemoryLayout[] arguments() {
        MemoryLayout[] longs = new MemoryLayout[MOST_ARGUMENTS];
        Arrays.fill(longs, JAVA_LONG);
        return longs;
    }

    /**
     * The function of that name.
     *
     * @throws IllegalStateException if the C library has none
     */
    static CFunction of(String name) {
        return find(name).orElseThrow(() -> new IllegalStateException("the C library has no " + name));
    }

    /** The function of that name, if the C library has it. */
    static Optional<CFunction> find(String name) {
        return LINKER.defaultLookup()
                .find(name)
                .map(address -> new CFunction(LINKER.downcallHandle(address, SHAPE, OPTIONS)));
    }

    /** A call of a function that returns an int or nothing. */
    int call() {
        return (int) callLong(0, 0, 0, 0, 0, 0, 0);
    }

    /** As {@link #call()}. */
    int call(long first) {
        return (int) callLong(first, 0, 0, 0, 0, 0, 0);
    }

    /** As {@link #call()}. */
    int call(long first, long second) {
        return (int) callLong(first, second, 0, 0, 0, 0, 0);
    }

    /** As {@link #call()}. */
    int call(long first, long second, long third) {
        return (int) callLong(first, second, third, 0, 0, 0, 0);
    }

    /** As {@link #call()}. */
    int call(long first, long second, long third, long fourth) {
        return (int) callLong(first, second, third, fourth, 0, 0, 0);
    }

    /** As {@link #call()}. */
    int call(long first, long second, long third, long fourth, long fifth) {
        return (int) callLong(first, second, third, fourth, fifth, 0, 0);
    }

    /** As {@link #call()}. */
    int call(long first, long second, long third, long fourth, long fifth, long sixth) {
        return (int) callLong(first, second, third, fourth, fifth, sixth, 0);
    }

    /** A call of a function that returns a long, a size or an address. */
    long callLong(long first, long second, long third) {
        return callLong(first, second, third, 0, 0, 0, 0);
    }

    /** As {@link #callLong(long, long, long)}. */
    long callLong(long first, long second, long third, long fourth, long fifth) {
        return callLong(first, second, third, fourth, fifth, 0, 0);
    }

    /** As {@link #callLong(long, long, long)}. */
    long callLong(long first, long second, long third, long fourth, long fifth, long sixth, long seventh) {
        try {
            return (long) handle.invokeExact(CLibrary.capture(), first, second, third, fourth, fifth, sixth, seventh);
        } catch (Error | RuntimeException thrown) {
            throw thrown;
        } catch (Throwable thrown) {
            throw new IllegalStateException("a function declares no exception", thrown);
        }
    }
}
