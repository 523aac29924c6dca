package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.raw.RawSocket;
import io.hyperverbs.lab.attacks.raw.SocketRefused;
import io.hyperverbs.vmm.posix.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Ends the driver's own connections behind its back: a domain may have two, and raw bytes would
 * never be read while the driver has them. The driver connects again at its next call.
 */
final class HangUp {
    private static final int DESCRIPTORS = 1024;
    private static final int FAMILY_BYTES = 2;
    private static final int NAME_BYTES = 110;
    private static final int BOTH_WAYS = 2;

    private HangUp() {}

    /**
     * Ends them, unless the driver could make no new one.
     *
     * @return how many were ended
     * @throws SocketRefused where no sockets can be made
     */
    static int driver() throws IOException {
        RawSocket.ensureAllowed();
        int ended = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(NAME_BYTES + 1L, Integer.BYTES);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++) {
                name.fill((byte) 0);
                length.set(ValueLayout.JAVA_INT, 0, NAME_BYTES);
                long answer = SystemCall.make(Calls.GETPEERNAME, descriptor, name.address(), length.address());
                if (answer == 0 && name.getString(FAMILY_BYTES).endsWith("device.sock")) {
                    SystemCall.make(Calls.SHUTDOWN, descriptor, BOTH_WAYS);
                    ended++;
                }
            }
        }
        return ended;
    }
}
