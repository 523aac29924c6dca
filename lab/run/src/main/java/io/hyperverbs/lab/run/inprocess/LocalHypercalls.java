package io.hyperverbs.lab.run.inprocess;

import io.hyperverbs.vmm.hypercall.Boot;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.time.Duration;
import java.util.Optional;

/** The hypercalls of one domain, answered out of the frames. */
final class LocalHypercalls implements Hypercalls {
    private final Frames frames;
    private final Boot boot;

    LocalHypercalls(Frames frames, Boot boot) {
        this.frames = frames;
        this.boot = boot;
    }

    @Override
    public Boot boot() {
        return boot;
    }

    @Override
    public void ready() {}

    @Override
    public MappedExtent mapGrant(long reference) {
        return frames.mapGrant(reference);
    }

    @Override
    public void unmap(MappedExtent extent) {
        frames.unmap(extent);
    }

    @Override
    public void storeWrite(String key, String value) throws HypercallException {
        frames.storeWrite(key, value);
    }

    @Override
    public void storeRemove(String key) throws HypercallException {
        frames.storeRemove(key);
    }

    @Override
    public Optional<String> storeRead(String path, Duration wait) throws HypercallException {
        return frames.storeRead(path, wait);
    }

    @Override
    public void ringDoorbellEvent() {
        frames.ringDoorbellEvent();
    }

    @Override
    public void onVmmGone(Runnable action) {}

    @Override
    public void close() {}
}
