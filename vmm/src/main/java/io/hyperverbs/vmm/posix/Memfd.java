package io.hyperverbs.vmm.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Anonymous memory files whose size nobody can change any more. */
public final class Memfd {
    private static final int MFD_CLOEXEC = 1;
    private static final int MFD_ALLOW_SEALING = 2;
    private static final int MFD_NOEXEC_SEAL = 8;
    private static final int F_ADD_SEALS = 1033;
    private static final int SEAL_SEAL = 1;
    private static final int SEAL_SHRINK = 2;
    private static final int SEAL_GROW = 4;
    private static final int SEAL_FUTURE_WRITE = 16;

    private static final CFunction MEMFD_CREATE = CFunction.of("memfd_create");
    private static final CFunction FTRUNCATE = CFunction.of("ftruncate");
    private static final CFunction FALLOCATE = CFunction.of("fallocate");

    private Memfd() {}

    /**
     * Makes zeroed memory of fixed size, all of it present, so that no access to it can fail later.
     *
     * @param sizeBytes whole pages
     * @param readOnlyLater leaves room for {@link #sealFutureWrites}; else no seal can be added
     * @throws PosixException ENOMEM if the computer cannot spare that much
     */
    public static Fd create(String name, long sizeBytes, boolean readOnlyLater) throws PosixException {
        // One at a time: what one call takes, the next no longer sees as available.
        synchronized (Memfd.class) {
            HostMemory.require(sizeBytes);
            Fd fd = create(name);
            try {
                resize(fd, sizeBytes);
                populate(fd, sizeBytes);
                int seals = SEAL_SHRINK | SEAL_GROW | (readOnlyLater ? 0 : SEAL_SEAL);
                fd.fcntl(F_ADD_SEALS, seals, "fcntl F_ADD_SEALS");
                return fd;
            } catch (PosixException e) {
                fd.close();
                throw e;
            }
        }
    }

    /** Unlike MAP_POPULATE this reports when pages cannot be had. */
    private static void populate(Fd fd, long sizeBytes) throws PosixException {
        CLibrary.check(FALLOCATE.call(fd.number(), 0, 0, sizeBytes), "fallocate");
    }

    private static Fd create(String name) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
            int number = MEMFD_CREATE.call(text.address(), flags | MFD_NOEXEC_SEAL);
            if (number < 0 && CLibrary.errno() == Errno.EINVAL) {
                // A kernel before 6.3 does not know NOEXEC_SEAL.
                number = MEMFD_CREATE.call(text.address(), flags);
            }
            return new Fd(CLibrary.check(number, "memfd_create"));
        }
    }

    /**
     * From now on nobody can make a writable mapping or write to it; writable mappings that exist
     * stay. Adds the last seal, too.
     */
    public static void sealFutureWrites(Fd fd) throws PosixException {
        fd.fcntl(F_ADD_SEALS, SEAL_FUTURE_WRITE | SEAL_SEAL, "fcntl F_ADD_SEALS");
    }

    /** Changes the size; EPERM once it is sealed. */
    static void resize(Fd fd, long sizeBytes) throws PosixException {
        CLibrary.check(FTRUNCATE.call(fd.number(), sizeBytes), "ftruncate");
    }
}
