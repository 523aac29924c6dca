package io.hyperverbs.device;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Sends what a native program prints to its own console: System.out and System.err of this process
 * look at the calling thread, and threads that a program starts inherit its console. Any thread.
 */
final class DomainConsole {
    private static final InheritableThreadLocal<@Nullable PrintStream> CONSOLE = new InheritableThreadLocal<>();

    private DomainConsole() {}

    /** Puts the switch in place, once. */
    static void install() {
        System.setOut(new PrintStream(new Switch(System.out), true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(new Switch(System.err), true, StandardCharsets.UTF_8));
    }

    /** Opens {@code logFile} as the console of the calling thread and those it starts. */
    static PrintStream open(String logFile) throws IOException {
        PrintStream console = new PrintStream(new FileOutputStream(logFile, true), true, StandardCharsets.UTF_8);
        CONSOLE.set(console);
        return console;
    }

    private static final class Switch extends OutputStream {
        private final PrintStream own;

        Switch(PrintStream own) {
            this.own = own;
        }

        private PrintStream target() {
            PrintStream console = CONSOLE.get();
            return console == null ? own : console;
        }

        @Override
        public void write(int b) {
            target().write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            target().write(bytes, offset, length);
        }

        @Override
        public void flush() {
            target().flush();
        }
    }
}
