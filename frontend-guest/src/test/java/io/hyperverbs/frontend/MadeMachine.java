package io.hyperverbs.frontend;

import io.hyperverbs.vmm.hypercall.Boot;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A machine of one memory segment; frame f lies at byte f * 4096. Frames are never given back. */
public final class MadeMachine {
    private final MemorySegment memory;
    private final Map<String, String> store = new java.util.HashMap<>();
    private long nextFrame;

    public MadeMachine(long frames) {
        this.memory = Arena.ofAuto().allocate(frames * FrameRun.FRAME_BYTES, FrameRun.FRAME_BYTES);
    }

    public MemorySegment memory() {
        return memory;
    }

    /** Takes frames; the machine address of the first. */
    public long take(long frames) {
        long first = nextFrame;
        nextFrame += frames;
        return first * FrameRun.FRAME_BYTES;
    }

    public MappedExtent extent(FrameKind kind, long frames) {
        long address = take(frames);
        return new MappedExtent(
                address / FrameRun.FRAME_BYTES, frames, kind, memory.asSlice(address, frames * FrameRun.FRAME_BYTES));
    }

    public Guest guest(String name, long frames, Map<String, String> settings) {
        Boot boot = new Boot(1, name, List.of(extent(FrameKind.RAM, frames)), settings);
        return new Guest(boot);
    }

    /** Writes a key by its full path, as the toolstack would. */
    public void write(String path, String value) {
        synchronized (store) {
            store.put(path, value);
            store.notifyAll();
        }
    }

    public void remove(String path) {
        synchronized (store) {
            store.remove(path);
            store.notifyAll();
        }
    }

    public Optional<String> read(String path, Duration wait) {
        long end = System.nanoTime() + wait.toNanos();
        synchronized (store) {
            while (!store.containsKey(path)) {
                long leftMillis = (end - System.nanoTime()) / 1_000_000;
                if (leftMillis <= 0) {
                    return Optional.empty();
                }
                try {
                    store.wait(leftMillis);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return Optional.empty();
                }
            }
            return Optional.of(store.get(path));
        }
    }

    /** Hypercalls of one domain; a grant's reference is the frame number. */
    public final class Guest implements Hypercalls {
        public final AtomicInteger doorbells = new AtomicInteger();
        public final AtomicInteger mapped = new AtomicInteger();
        private final Boot boot;

        Guest(Boot boot) {
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
            mapped.incrementAndGet();
            long address = reference * FrameRun.FRAME_BYTES;
            return new MappedExtent(reference, 1, FrameKind.UAR, memory.asSlice(address, FrameRun.FRAME_BYTES));
        }

        @Override
        public void unmap(MappedExtent extent) {
            mapped.decrementAndGet();
        }

        @Override
        public void storeWrite(String key, String value) {
            write("domain/" + boot.name() + "/" + key, value);
        }

        @Override
        public void storeRemove(String key) {
            remove("domain/" + boot.name() + "/" + key);
        }

        @Override
        public Optional<String> storeRead(String path, Duration wait) {
            return read(path, wait);
        }

        @Override
        public void ringDoorbellEvent() {
            doorbells.incrementAndGet();
        }

        @Override
        public void onVmmGone(Runnable action) {}

        @Override
        public void close() {}
    }
}
