package io.hyperverbs.launcher.progress;

/** Shows nothing. */
public final class QuietProgress implements Progress {
    @Override
    public void begin(String task, long steps) {}

    @Override
    public void step(String what) {}

    @Override
    public void close() {}
}
