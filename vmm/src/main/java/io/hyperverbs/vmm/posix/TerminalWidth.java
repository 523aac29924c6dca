package io.hyperverbs.vmm.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.OptionalInt;

/** How wide the terminal behind a descriptor is, by {@code TIOCGWINSZ}; ioctl_tty(2). */
public final class TerminalWidth {
    private static final long TIOCGWINSZ = 0x5413;

    /** {@code struct winsize}: four shorts, rows and columns first. */
    private static final long WINSIZE_BYTES = 8;

    private static final long COLUMNS = 2;

    private static final CFunction IOCTL = CFunction.of("ioctl");

    private TerminalWidth() {}

    /** In columns; empty if that is no terminal, or one that does not say. */
    public static OptionalInt of(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(WINSIZE_BYTES, Short.BYTES);
            int result = IOCTL.call(descriptor, TIOCGWINSZ, size.address());
            int columns = Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, COLUMNS));
            return result < 0 || columns == 0 ? OptionalInt.empty() : OptionalInt.of(columns);
        }
    }
}
