package io.hyperverbs.vmm.memory;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pins frames of one domain, in its device domain: without a hypercall, as the numbers are in memory
 * that the VMM sees too (docs/adr/0060). Which frames are the domain's is what the VMM said of it.
 * Callable from any thread.
 */
public final class DomainPins implements AutoCloseable {
    private record Pinnable(long firstMachineFrame, long end, FramePins pins) {
        VerbsStatus apply(PinChange change, FrameRun run) {
            return change.apply(pins, (int) (run.firstFrame() - firstMachineFrame), (int) run.count());
        }
    }

    private final TreeMap<Long, Pinnable> extents = new TreeMap<>();
    private long frames;

    /**
     * Takes in an extent of the domain's RAM.
     *
     * @param pins the memory of its pins, as {@link FrameTable#duplicatePins} gives it; the caller's to close
     */
    public synchronized void add(long firstMachineFrame, int count, Fd pins) throws PosixException {
        extents.put(
                firstMachineFrame,
                new Pinnable(firstMachineFrame, firstMachineFrame + count, FramePins.map(pins, count)));
        frames += count;
    }

    /**
     * Pins frames, all or none.
     *
     * @param asRing makes them QUEUE; they must be unpinned before
     * @return EFAULT if a frame is not RAM of the domain, or there are more frames than it has;
     *     EBUSY if a frame is pinned and is to be a ring
     */
    public VerbsStatus pin(List<FrameRun> runs, boolean asRing) {
        return change(runs, asRing ? PinChange.RING : PinChange.PIN);
    }

    /** Takes pins back, all or none: EFAULT as for pinning, EINVAL if a frame has no such pin. */
    public VerbsStatus unpin(List<FrameRun> runs, boolean asRing) {
        return change(runs, asRing ? PinChange.UNRING : PinChange.UNPIN);
    }

    private synchronized VerbsStatus change(List<FrameRun> runs, PinChange change) {
        List<Pinnable> targets = new ArrayList<>(runs.size());
        long named = 0;
        for (FrameRun run : runs) {
            Pinnable extent = at(run.firstFrame());
            // The sum is bounded, or one frame named often would keep the domain's other verbs waiting.
            named += run.count();
            if (extent == null || run.count() > extent.end() - run.firstFrame() || named > frames) {
                return VerbsStatus.EFAULT;
            }
            targets.add(extent);
        }
        for (int done = 0; done < targets.size(); done++) {
            VerbsStatus status = targets.get(done).apply(change, runs.get(done));
            if (status != VerbsStatus.SUCCESS) {
                for (int i = done - 1; i >= 0; i--) {
                    var _ = targets.get(i).apply(change.inverse(), runs.get(i));
                }
                return status;
            }
        }
        return VerbsStatus.SUCCESS;
    }

    private @Nullable Pinnable at(long machineFrame) {
        Map.Entry<Long, Pinnable> entry = extents.floorEntry(machineFrame);
        return entry != null && machineFrame < entry.getValue().end() ? entry.getValue() : null;
    }

    /** From now on the domain has no frames. */
    @Override
    public synchronized void close() {
        extents.values().forEach(extent -> extent.pins().close());
        extents.clear();
        frames = 0;
    }
}
