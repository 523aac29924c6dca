package io.hyperverbs.launcher.progress;

import java.io.PrintStream;
import java.util.function.IntSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A moving bar, for terminals; it goes away when its task ends. */
public final class BarProgress implements Progress {
    /** A longer line is no easier to read. */
    private static final int MOST_COLUMNS = 100;

    private final PrintStream stream;
    private final IntSupplier columns;
    private @Nullable ProgressBar bar;

    /**
     * @param columns width of the terminal; asked when a task begins
     */
    public BarProgress(PrintStream stream, IntSupplier columns) {
        this.stream = stream;
        this.columns = columns;
    }

    @Override
    public void begin(String task, long steps) {
        close();
        // A cursor in the last column makes some terminals begin a new line.
        int width = Math.min(MOST_COLUMNS, columns.getAsInt() - 1);
        bar = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setUpdateIntervalMillis(100)
                .setStyle(ProgressBarStyle.ASCII)
                .setConsumer(new ConsoleProgressBarConsumer(stream, width))
                .clearDisplayOnFinish()
                .build();
    }

    @Override
    public void step(String what) {
        if (bar != null) {
            bar.setExtraMessage(" " + what);
            bar.step();
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
