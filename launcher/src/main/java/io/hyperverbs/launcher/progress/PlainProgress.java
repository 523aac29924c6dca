package io.hyperverbs.launcher.progress;

import java.io.PrintStream;

/** A line when a task begins and at each tenth of it, so that logs stay short. */
public final class PlainProgress implements Progress {
    private static final int PARTS = 10;

    private final PrintStream stream;
    private String task = "";
    private long steps;
    private long done;

    public PlainProgress(PrintStream stream) {
        this.stream = stream;
    }

    @Override
    public void begin(String task, long steps) {
        this.task = task;
        this.steps = steps;
        this.done = 0;
        stream.println("hv: " + task + " (" + steps + ")");
    }

    @Override
    public void step(String what) {
        done++;
        if (steps <= PARTS || done * PARTS / steps != (done - 1) * PARTS / steps) {
            stream.println("hv: " + task + " " + done + "/" + steps + ": " + what);
        }
    }

    @Override
    public void close() {}
}
