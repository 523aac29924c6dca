package io.hyperverbs.vmm.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Mappings of memory. Nothing that a live segment covers is ever unmapped: a mapping goes when its
 * arena is closed, which the JVM refuses while it is in use, and a reserved region stays for good.
 */
@SuppressWarnings("restricted") // this package is where native access is allowed
public final class MemoryMap {
    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int MAP_SHARED = 0x01;
    private static final int MAP_PRIVATE = 0x02;
    private static final int MAP_FIXED = 0x10;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int MAP_POPULATE = 0x8000;
    private static final int NO_FILE = -1;
    private static final long FAILED = -1;

    private static final CFunction MMAP = CFunction.of("mmap");
    private static final CFunction MUNMAP = CFunction.of("munmap");

    private MemoryMap() {}

    /** Maps a whole memory file, shared and populated, until {@code arena} is closed. */
    public static MemorySegment map(Fd fd, long sizeBytes, boolean readOnly, Arena arena) throws PosixException {
        int protection = readOnly ? PROT_READ : PROT_READ | PROT_WRITE;
        MemorySegment address = mmap(MemorySegment.NULL, sizeBytes, protection, MAP_SHARED | MAP_POPULATE, fd.number());
        MemorySegment memory = address.reinterpret(sizeBytes, arena, MemoryMap::unmap);
        return readOnly ? memory.asReadOnly() : memory;
    }

    /**
     * Takes address space that reads as zeroes and costs no memory until written; stays for good.
     */
    public static MemorySegment reserve(long sizeBytes) throws PosixException {
        MemorySegment address = mmap(
                MemorySegment.NULL,
                sizeBytes,
                PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                NO_FILE);
        return address.reinterpret(sizeBytes);
    }

    /** Finds out whether {@link #reserve} would succeed. */
    public static void tryReserve(long sizeBytes) throws PosixException {
        unmap(reserve(sizeBytes));
    }

    /** Replaces part of a reserved region by a memory file, in one step: no access ever faults. */
    public static void mapOver(MemorySegment region, long offsetBytes, Fd fd, long sizeBytes) throws PosixException {
        mmap(
                region.asSlice(offsetBytes, sizeBytes),
                sizeBytes,
                PROT_READ | PROT_WRITE,
                MAP_FIXED | MAP_SHARED | MAP_POPULATE,
                fd.number());
    }

    /** Replaces part of a reserved region by private zeroes, in one step. */
    public static void clearOver(MemorySegment region, long offsetBytes, long sizeBytes) throws PosixException {
        mmap(
                region.asSlice(offsetBytes, sizeBytes),
                sizeBytes,
                PROT_READ | PROT_WRITE,
                MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                NO_FILE);
    }

    private static MemorySegment mmap(MemorySegment where, long sizeBytes, int protection, int flags, int fd)
            throws PosixException {
        long address = MMAP.callLong(where.address(), sizeBytes, protection, flags, fd, 0, 0);
        if (address == FAILED) {
            throw new PosixException("mmap of " + sizeBytes + " bytes", CLibrary.errno());
        }
        return MemorySegment.ofAddress(address);
    }

    private static void unmap(MemorySegment memory) {
        int result = MUNMAP.call(memory.address(), memory.byteSize());
        if (result != 0) {
            throw new IllegalStateException("munmap: " + Errno.text(CLibrary.errno()));
        }
    }
}
