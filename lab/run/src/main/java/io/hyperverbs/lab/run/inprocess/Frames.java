package io.hyperverbs.lab.run.inprocess;

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
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Machine memory in one segment, and who owns which frame. */
public final class Frames implements BackendHypercalls {
    /** Owner of what the backend takes. */
    private static final int BACKEND = 0;

    private final MemorySegment memory;
    private final int[] owners;
    private final boolean[] rings;
    private final int[] pins;
    private final ArrayDeque<Integer> freed = new ArrayDeque<>();
    private int next = 1;

    /** So many zeroed frames, nobody's yet. */
    public Frames(Arena arena, int count) {
        this(arena.allocate((long) count * FrameRun.FRAME_BYTES, FrameRun.FRAME_BYTES));
    }

    /** All frames of {@code zeroed}, nobody's yet. */
    public Frames(MemorySegment zeroed) {
        int count = Math.toIntExact(zeroed.byteSize() / FrameRun.FRAME_BYTES);
        memory = zeroed;
        owners = new int[count];
        rings = new boolean[count];
        pins = new int[count];
    }

    /** Takes frames for a domain. */
    public MappedExtent take(int domain, FrameKind kind, int count) {
        int first = next;
        next += count;
        Arrays.fill(owners, first, next, domain);
        return extent(first, count, kind);
    }

    /** Pins of all frames together. */
    public long pinned() {
        return Arrays.stream(pins).asLongStream().sum();
    }

    private MappedExtent extent(long first, int count, FrameKind kind) {
        return new MappedExtent(
                first, count, kind, memory.asSlice(first * FrameRun.FRAME_BYTES, (long) count * FrameRun.FRAME_BYTES));
    }

    @Override
    public MemorySegment machineMemory() {
        return memory;
    }

    @Override
    public MappedExtent allocateFrames(FrameKind kind, long frames) throws HypercallException {
        if (frames == 1 && !freed.isEmpty()) {
            return extent(freed.remove(), 1, kind);
        }
        if (frames > owners.length - next) {
            throw new HypercallException(VerbsStatus.ENOMEM, "no frames are left");
        }
        return take(BACKEND, kind, (int) frames);
    }

    @Override
    public void freeFrames(MappedExtent extent) {
        // Doorbell pages, one frame each, are all that is given back.
        extent.memory().fill((byte) 0);
        for (int i = 0; i < extent.frames(); i++) {
            freed.add((int) extent.firstMachineFrame() + i);
        }
    }

    @Override
    public long grant(MappedExtent extent, int toDomain, boolean readOnly) {
        return extent.firstMachineFrame();
    }

    @Override
    public void revokeGrant(long reference) {
        // A grant is nothing but the number of its frame.
    }

    @Override
    public void pin(int domain, List<FrameRun> runs, boolean asRing) throws HypercallException {
        for (FrameRun run : runs) {
            for (long frame = run.firstFrame(); frame < run.firstFrame() + run.count(); frame++) {
                boolean good = frame < owners.length
                        && owners[(int) frame] == domain
                        && !rings[(int) frame]
                        && (!asRing || pins[(int) frame] == 0);
                if (!good) {
                    throw new HypercallException(VerbsStatus.EFAULT, "frame " + frame);
                }
            }
        }
        change(runs, 1, asRing);
    }

    @Override
    public void unpin(int domain, List<FrameRun> runs, boolean asRing) {
        change(runs, -1, false);
    }

    private void change(List<FrameRun> runs, int by, boolean ring) {
        for (FrameRun run : runs) {
            for (long frame = run.firstFrame(); frame < run.firstFrame() + run.count(); frame++) {
                pins[(int) frame] += by;
                rings[(int) frame] = ring;
            }
        }
    }

    @Override
    public MappedExtent mapGrant(long reference) {
        return extent(reference, 1, FrameKind.UAR);
    }

    @Override
    public void unmap(MappedExtent extent) {
        // A slice of memory that stays.
    }

    @Override
    public Boot boot() {
        return new Boot(BACKEND, "backend", List.of(), Map.of());
    }

    @Override
    public void ready() {}

    @Override
    public void ringDoorbellEvent() {
        // The agent's thread is the engine's.
    }

    @Override
    public void onVmmGone(Runnable action) {}

    @Override
    public void close() {}

    @Override
    public DomainNotice nextNotice() throws HypercallException {
        throw absent();
    }

    @Override
    public void acknowledge(DomainNotice notice, VerbsStatus status, String message) throws HypercallException {
        throw absent();
    }

    @Override
    public void report(DomainNotice.SessionAsked notice, SessionReport report) throws HypercallException {
        throw absent();
    }

    @Override
    public void storeWriteFor(int domain, String key, @Nullable String value) throws HypercallException {
        throw absent();
    }

    @Override
    public Optional<DomainPlace> find(String name) {
        return Optional.empty();
    }

    @Override
    public void nativeExited(int domain, int exitCode) throws HypercallException {
        throw absent();
    }

    @Override
    public void storeWrite(String key, String value) throws HypercallException {
        throw absent();
    }

    @Override
    public void storeRemove(String key) throws HypercallException {
        throw absent();
    }

    @Override
    public Optional<String> storeRead(String path, Duration wait) throws HypercallException {
        throw absent();
    }

    private static HypercallException absent() {
        return new HypercallException(VerbsStatus.ENOSYS, "there is no VMM in this process");
    }
}
