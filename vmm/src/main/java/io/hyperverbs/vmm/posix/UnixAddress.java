package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A {@code struct sockaddr_un}: family, then a path that ends with a zero byte. */
final class UnixAddress {
    static final int AF_UNIX = 1;
    private static final int SIZE_BYTES = 110;
    private static final int PATH_OFFSET = 2;
    private static final int MAX_PATH_BYTES = 107;

    private UnixAddress() {}

    static MemorySegment of(Path path, Arena arena) throws PosixException {
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_PATH_BYTES) {
            throw new PosixException(
                    "socket path of " + bytes.length + " bytes, at most " + MAX_PATH_BYTES, Errno.EINVAL);
        }
        MemorySegment address = arena.allocate(SIZE_BYTES, 2);
        address.set(JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(bytes, 0, address, JAVA_BYTE, PATH_OFFSET, bytes.length);
        return address;
    }
}
