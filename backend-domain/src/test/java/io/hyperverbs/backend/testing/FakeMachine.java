package io.hyperverbs.backend.testing;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.BackendHypercalls;
import io.hyperverbs.vmm.hypercall.Boot;
import io.hyperverbs.vmm.hypercall.DomainNotice;
import io.hyperverbs.vmm.hypercall.DomainPlace;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.SessionReport;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/** A machine in this process: one segment, and a frame table that judges like the VMM's. */
public final class FakeMachine implements BackendHypercalls {
    public static final int BACKEND = 0;

    private static final int FRAMES = 16384;

    /** How much is taken of everything. */
    public record Counters(int extents, int grants, int pins, int ringFrames) {}

    public record Acknowledged(DomainNotice notice, VerbsStatus status, String message) {}

    private final MemorySegment memory;
    private final Faults faults;
    private final Map<String, String> settings;
    private final FrameKind[] kinds = new FrameKind[FRAMES];
    private final int[] owners = new int[FRAMES];
    private final int[] pins = new int[FRAMES];
    private final Map<Long, MappedExtent> extents = new HashMap<>();
    private final Map<Long, MappedExtent> grants = new HashMap<>();
    private final BlockingQueue<DomainNotice> notices = new LinkedBlockingQueue<>();
    private final BlockingQueue<Acknowledged> acknowledged = new LinkedBlockingQueue<>();
    private final Map<String, DomainPlace> places = new ConcurrentHashMap<>();
    private int nextFrame = 1;
    private long nextGrant = 1;

    public FakeMachine(Arena arena, Faults faults, Map<String, String> settings) {
        this.memory = arena.allocate((long) FRAMES * FrameRun.FRAME_BYTES, FrameRun.FRAME_BYTES);
        this.faults = faults;
        this.settings = settings;
        java.util.Arrays.fill(kinds, FrameKind.FREE);
    }

    public FakeMachine(Arena arena, Faults faults) {
        this(arena, faults, Map.of());
    }

    /** Memory of a domain. */
    public synchronized MappedExtent addRam(int domain, int frames) {
        return take(domain, FrameKind.RAM, frames);
    }

    public synchronized Counters counters() {
        int pinned = 0;
        int ring = 0;
        for (int frame = 0; frame < FRAMES; frame++) {
            pinned += pins[frame];
            ring += kinds[frame] == FrameKind.QUEUE ? 1 : 0;
        }
        return new Counters(extents.size(), grants.size(), pinned, ring);
    }

    /** A guest of that name is there, on whatever HCA. */
    public void place(String name, DomainPlace place) {
        places.put(name, place);
    }

    public void announce(DomainNotice notice) {
        notices.add(notice);
    }

    public Acknowledged awaitAcknowledgement() throws InterruptedException {
        Acknowledged next = acknowledged.poll(5, java.util.concurrent.TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("not acknowledged in time");
        }
        return next;
    }

    @Override
    public MemorySegment machineMemory() {
        return memory;
    }

    @Override
    public synchronized MappedExtent allocateFrames(FrameKind kind, long frames) throws HypercallException {
        fault();
        if (frames > FRAMES - nextFrame) {
            throw new HypercallException(VerbsStatus.ENOMEM, "no frames");
        }
        MappedExtent extent = take(BACKEND, kind, (int) frames);
        extents.put(extent.firstMachineFrame(), extent);
        return extent;
    }

    @Override
    public synchronized void freeFrames(MappedExtent extent) throws HypercallException {
        fault();
        if (grants.containsValue(extent)) {
            throw new HypercallException(VerbsStatus.EBUSY, "frames are granted");
        }
        if (extents.remove(extent.firstMachineFrame()) == null) {
            throw new AssertionError("freed twice");
        }
        // A use after this shows as garbage in somebody's ring.
        extent.memory().fill((byte) 0xee);
    }

    @Override
    public synchronized long grant(MappedExtent extent, int toDomain, boolean readOnly) throws HypercallException {
        fault();
        grants.put(nextGrant, extent);
        return nextGrant++;
    }

    @Override
    public synchronized void revokeGrant(long reference) throws HypercallException {
        fault();
        if (grants.remove(reference) == null) {
            throw new AssertionError("revoked twice");
        }
    }

    @Override
    public synchronized void pin(int domain, List<FrameRun> runs, boolean asRing) throws HypercallException {
        fault();
        for (FrameRun run : runs) {
            for (long frame = run.firstFrame(); frame < run.firstFrame() + run.count(); frame++) {
                boolean good = frame < FRAMES
                        && owners[(int) frame] == domain
                        && kinds[(int) frame] == FrameKind.RAM
                        && (!asRing || pins[(int) frame] == 0);
                if (!good) {
                    throw new HypercallException(VerbsStatus.EFAULT, "frame " + frame);
                }
            }
        }
        change(runs, 1, asRing ? FrameKind.QUEUE : FrameKind.RAM);
    }

    @Override
    public synchronized void unpin(int domain, List<FrameRun> runs, boolean asRing) throws HypercallException {
        fault();
        change(runs, -1, FrameKind.RAM);
    }

    @Override
    public DomainNotice nextNotice() throws HypercallException {
        try {
            return notices.take();
        } catch (InterruptedException e) {
            throw new HypercallException(VerbsStatus.EIO, "interrupted");
        }
    }

    @Override
    public void acknowledge(DomainNotice notice, VerbsStatus status, String message) {
        acknowledged.add(new Acknowledged(notice, status, message));
    }

    @Override
    public void report(DomainNotice.SessionAsked notice, SessionReport report) {}

    @Override
    public void storeWriteFor(int domain, String key, String value) {}

    @Override
    public Optional<DomainPlace> find(String name) {
        return Optional.ofNullable(places.get(name));
    }

    @Override
    public void nativeExited(int domain, int exitCode) {}

    @Override
    public Boot boot() {
        return new Boot(BACKEND, "backend", List.of(), settings);
    }

    @Override
    public void ready() {}

    @Override
    public MappedExtent mapGrant(long reference) {
        return grants.get(reference);
    }

    @Override
    public void unmap(MappedExtent extent) {}

    @Override
    public void storeWrite(String key, String value) {}

    @Override
    public void storeRemove(String key) {}

    @Override
    public Optional<String> storeRead(String path, Duration wait) {
        return Optional.empty();
    }

    @Override
    public void ringDoorbellEvent() {}

    @Override
    public void onVmmGone(Runnable action) {}

    @Override
    public void close() {}

    private MappedExtent take(int domain, FrameKind kind, int frames) {
        int first = nextFrame;
        nextFrame += frames;
        for (int frame = first; frame < first + frames; frame++) {
            kinds[frame] = kind;
            owners[frame] = domain;
        }
        return new MappedExtent(
                first,
                frames,
                kind,
                memory.asSlice((long) first * FrameRun.FRAME_BYTES, (long) frames * FrameRun.FRAME_BYTES));
    }

    private void change(List<FrameRun> runs, int by, FrameKind kind) {
        for (FrameRun run : runs) {
            for (long frame = run.firstFrame(); frame < run.firstFrame() + run.count(); frame++) {
                pins[(int) frame] += by;
                if (pins[(int) frame] < 0) {
                    throw new AssertionError("unpinned twice");
                }
                kinds[(int) frame] = kind;
            }
        }
    }

    private void fault() throws HypercallException {
        if (faults.trip()) {
            throw new HypercallException(VerbsStatus.EIO, "fault");
        }
    }
}
