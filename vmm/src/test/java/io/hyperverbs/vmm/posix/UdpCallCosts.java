package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.function.IntSupplier;

/** Nanoseconds of single calls, on one thread; medians, so that what interrupts it does not count. */
@SuppressWarnings("restricted")
final class UdpCallCosts {
    private static final int CHUNKS = 400;
    private static final int CALLS_OF_CHUNK = 500;
    private static final int WARM_UP = 40_000;
    private static final int DATAGRAMS = 100_000;
    private static final int GROUP = 0xef77_0401;
    private static final FunctionDescriptor RECVMMSG_SHAPE =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final CFunction RECVMMSG = CFunction.of("recvmmsg");
    private static final MethodHandle CRITICAL_RECVMMSG = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("recvmmsg"),
                    RECVMMSG_SHAPE,
                    Linker.Option.captureCallState("errno"),
                    Linker.Option.critical(false));

    private final UdpPort a;
    private final UdpPort b;
    private long sum;

    UdpCallCosts(UdpPort a, UdpPort b) {
        this.a = a;
        this.b = b;
    }

    /** Of a receive that finds nothing. */
    double emptyReceive() {
        return nanos(a::receive);
    }

    double emptyReceiveWithGroup() throws PosixException {
        a.join(GROUP);
        double nanos = nanos(a::receive);
        a.leave(GROUP);
        return nanos;
    }

    /** The system call alone, by a downcall with a change of the thread's state, or without. */
    double emptyCall(Fd socket, boolean critical) {
        MessageVector messages = new MessageVector(32, 128);
        long address = messages.headerAddress(0);
        int number = socket.number();
        return critical ? nanos(() -> criticalCall(number, address)) : nanos(() -> commonCall(number, address));
    }

    private static int commonCall(int number, long address) {
        return RECVMMSG.call(number, address, 32, 0x40, 0);
    }

    private static int criticalCall(int number, long address) {
        try {
            return (int) CRITICAL_RECVMMSG.invokeExact(CLibrary.capture(), number, address, 32, 0x40, 0L);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** Of one datagram sent and one received, in that order. */
    record Datagram(double sendNanos, double receiveNanos) {}

    /** Batches of {@code batch} messages to a port that takes them before the next; sending includes delivery. */
    Datagram datagrams(int batch, int lengthBytes, int segmentBytes) {
        int rounds = DATAGRAMS / batch;
        double[] sendNanos = new double[rounds];
        double[] receiveNanos = new double[rounds];
        for (int i = -rounds; i < rounds; i++) {
            long start = System.nanoTime();
            for (int k = 0; k < batch; k++) {
                a.add((long) k * lengthBytes, lengthBytes, segmentBytes, b.address(), b.port(), 2);
            }
            int sent = a.flush();
            long middle = System.nanoTime();
            for (int got = 0; got < sent; ) {
                got += take(b.receive());
            }
            if (i >= 0) {
                sendNanos[i] = middle - start;
                receiveNanos[i] = System.nanoTime() - middle;
            }
        }
        return new Datagram(median(sendNanos) / batch, median(receiveNanos) / batch);
    }

    private int take(int count) {
        for (int i = 0; i < count; i++) {
            sum += b.receiveMemory().get(JAVA_INT, b.offset(i)) + b.lengthBytes(i) + b.sourceAddress(i);
        }
        return count;
    }

    private double nanos(IntSupplier call) {
        for (int i = 0; i < WARM_UP; i++) {
            sum += call.getAsInt();
        }
        double[] chunks = new double[CHUNKS];
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS_OF_CHUNK; i++) {
                sum += call.getAsInt();
            }
            chunks[chunk] = (double) (System.nanoTime() - start) / CALLS_OF_CHUNK;
        }
        return median(chunks);
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    /** Of all that was read, so that it is. */
    long sum() {
        return sum;
    }
}
