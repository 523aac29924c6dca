package io.hyperverbs.toolstack.progress;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;

/** A moving bar, for terminals; it goes away when its task ends. */
public final class BarProgress implements Progress {
    private static final int WIDTH = 100;

    private final PrintStream stream;
    private @Nullable ProgressBar bar;

    public BarProgress(PrintStream stream) {
        this.stream = stream;
    }

    @Override
    public void begin(String task, long steps) {
        close();
        bar =
                new ProgressBarBuilder()
                        .setTaskName(task)
                        .setInitialMax(steps)
                        .setUpdateIntervalMillis(100)
                        .setStyle(ProgressBarStyle.ASCII)
                        .setConsumer(new ConsoleProgressBarConsumer(stream, WIDTH))
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
