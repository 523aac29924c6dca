package io.hyperverbs.toolstack.commands;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A terminal on which one text is drawn over the other, in the alternate screen of xterm. Keys come without a line end
 * and are not shown. Closing gives the terminal back as it was; it may be closed twice, from any thread.
 */
final class TopScreen implements AutoCloseable {
    private static final Path TERMINAL = Path.of("/dev/tty");
    private static final String BEGIN = "\u001b[?1049h\u001b[?25l";
    private static final String END = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_REST = "\u001b[J";
    private static final int USUAL_LINES = 24;
    private static final String QUIT = "qQ";

    private final PrintStream out;
    private final String settings;
    private boolean open = true;

    private TopScreen(PrintStream out, String settings) {
        this.out = out;
        this.settings = settings;
    }

    /** @param quit called on a thread of its own when q is pressed */
    static TopScreen open(PrintStream out, Runnable quit) {
        String settings = stty("-g");
        TopScreen screen = new TopScreen(out, settings);
        if (!settings.isEmpty()) {
            String _ = stty("-icanon", "-echo");
            Thread.ofPlatform().daemon().name("keys").start(() -> awaitQuit(quit));
        }
        out.print(BEGIN);
        out.flush();
        return screen;
    }

    private static void awaitQuit(Runnable quit) {
        try (InputStream keys = new FileInputStream(TERMINAL.toFile())) {
            int key = keys.read();
            while (key >= 0 && QUIT.indexOf(key) < 0) {
                key = keys.read();
            }
            if (key >= 0) {
                quit.run();
            }
        } catch (IOException e) {
            // Without a keyboard there is Ctrl-C.
        }
    }

    /** Draws lines from the top on, as many as there is room for. */
    synchronized void draw(List<String> lines) {
        if (!open) {
            return;
        }
        StringBuilder text = new StringBuilder(HOME);
        List<String> shown = lines.subList(0, Math.min(lines.size(), height() - 1));
        shown.forEach(line -> text.append(line).append(CLEAR_LINE).append("\r\n"));
        out.print(text.append(CLEAR_REST));
        out.flush();
    }

    /** As the terminal says now: it may change its size. */
    private static int height() {
        String[] size = stty("size").split(" ", -1);
        try {
            int lines = Integer.parseInt(size[0]);
            return lines < 2 ? USUAL_LINES : lines;
        } catch (NumberFormatException e) {
            return USUAL_LINES;
        }
    }

    /** What stty(1) says of the terminal; empty without one. */
    private static String stty(String... words) {
        String[] command = new String[words.length + 1];
        command[0] = "stty";
        System.arraycopy(words, 0, command, 1, words.length);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(TERMINAL.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? said : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    @Override
    public synchronized void close() {
        if (!open) {
            return;
        }
        open = false;
        out.print(END);
        out.flush();
        if (!settings.isEmpty()) {
            String _ = stty(settings);
        }
    }
}
