package io.hyperverbs.toolstack.commands;

import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.io.RandomAccessFile;

/** Tries whether this kernel makes memory that cannot be truncated under who maps it. */
final class SealedMemory {
    private static final long BYTES = 4096;

    /** What came of it. */
    record Verdict(boolean works, String words) {}

    private SealedMemory() {}

    static Verdict probe() {
        try (Fd memory = Memfd.create("hv-doctor", BYTES, false)) {
            return truncated("/proc/self/fd/" + memory.number())
                    ? new Verdict(false, "a sealed memfd could be truncated")
                    : new Verdict(true, "memfd seals hold");
        } catch (PosixException e) {
            return new Verdict(false, String.valueOf(e.getMessage()));
        }
    }

    private static boolean truncated(String path) {
        try (RandomAccessFile file = new RandomAccessFile(path, "rw")) {
            file.setLength(0);
            return file.length() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
