package io.hyperverbs.tests.machine;

import io.hyperverbs.backend.journal.JournalException;
import io.hyperverbs.vmm.posix.Errno;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Fails calls of trusted processes at random. Lives in their jars in a {@link FaultyDistribution};
 * the test switches it by a file of {@link #BYTES} bytes that all of them map.
 */
public final class FaultDice {
    static final int BYTES = 24;
    static final int ONE_IN = 0;
    static final int MADE = 8;
    static final int SEED = 16;

    private static final int[] SHORTAGES = {Errno.ENOMEM, Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS};
    private static final int ENOSPC = 28;
    private static final int EIO = 5;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final AtomicLong THREADS = new AtomicLong();
    private static volatile MappedByteBuffer mapped;
    private static final ThreadLocal<SplittableRandom> DICE =
            ThreadLocal.withInitial(() -> new SplittableRandom(mapped.getLong(SEED) + 31 * THREADS.incrementAndGet()));

    private FaultDice() {}

    static MappedByteBuffer map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
            bytes.order(ByteOrder.nativeOrder());
            return bytes;
        }
    }

    static long made(ByteBuffer control) {
        return (long) LONGS.getVolatile(control, MADE);
    }

    private static boolean isHit(String control) {
        MappedByteBuffer bytes = mapped;
        if (bytes == null) {
            try {
                bytes = map(Path.of(control));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            mapped = bytes;
        }
        int oneIn = bytes.getInt(ONE_IN);
        if (oneIn == 0 || DICE.get().nextInt(oneIn) != 0) {
            return false;
        }
        long _ = (long) LONGS.getAndAdd(bytes, MADE, 1L);
        return true;
    }

    /** What a kernel without memory or descriptors answers. */
    public static void shortage(String call, String control) throws PosixException {
        if (isHit(control)) {
            int errno = SHORTAGES[DICE.get().nextInt(SHORTAGES.length)];
            throw new PosixException(call + " (planted)", errno);
        }
    }

    /** What a call that gives up may answer, too. */
    public static void failure(String call, String control) throws PosixException {
        if (isHit(control)) {
            int[] errnos = {Errno.ENOMEM, Errno.EMFILE, ENOSPC, EIO, Errno.EINTR};
            int errno = errnos[DICE.get().nextInt(errnos.length)];
            throw new PosixException(call + " (planted)", errno);
        }
    }

    /** A full disk. */
    public static void journal(String call, String control) throws JournalException {
        if (isHit(control)) {
            throw new JournalException(call + " (planted): no space left on device");
        }
    }

    /** What a thread that cannot be made throws. */
    public static void thread(String call, String control) {
        if (isHit(control)) {
            throw new OutOfMemoryError(call + " (planted): unable to create native thread");
        }
    }
}
