package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawResources;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ObjectKind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Control verbs without a pause, below the library's checks, by one thread or by many. */
final class ControlStorm implements Load {
    private static final int RUNS = 1024;
    private static final int UNDER_WAY = 64;

    private final RawDevice device;
    private final Consumer<RawDevice> verb;
    private final int threads;
    private final List<Thread> others = new ArrayList<>();
    private volatile boolean stopped;

    private ControlStorm(RawDevice device, int threads, Consumer<RawDevice> verb) {
        this.device = device;
        this.threads = threads;
        this.verb = verb;
    }

    /** Queries, 64 under way at a time. */
    static Load calls(Home home) throws VerbsException {
        // Not by the device, which makes one call at a time.
        ControlPath control = ((DriverDomain) home.domain()).control();
        return of(home, UNDER_WAY, device -> control.call(new ControlRequest.QueryDevice(device.context())));
    }

    /** What is refused. */
    static Load refused(Home home) throws VerbsException {
        return of(home, 1, device -> device.call(new ControlRequest.AllocatePd(~device.context())));
    }

    /** Contexts of the forwarded data path, made and given back. */
    static Load contexts(Home home) throws VerbsException {
        return of(home, 1, device -> {
            ControlReply reply = device.call(new ControlRequest.OpenContext(DataPathKind.FORWARDED));
            if (reply instanceof ControlReply.ContextOpened opened) {
                end(device, ObjectKind.CONTEXT, opened.context());
            }
        });
    }

    /** Regions of every other page of a buffer. */
    static Load wideRegions(Home home) throws VerbsException {
        RawDevice device = open(home);
        MemorySegment buffer = device.buffer(2L * RUNS * FrameRun.FRAME_BYTES);
        long first = device.frames(buffer).getFirst().firstFrame();
        List<FrameRun> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(new FrameRun(first + 2L * i, 1));
        }
        ControlRequest request =
                new ControlRequest.RegisterMemory(device.pd(), 0, (long) RUNS * FrameRun.FRAME_BYTES, 1, runs);
        return new ControlStorm(device, 1, _ -> {
            if (device.call(request) instanceof ControlReply.MemoryRegistered made) {
                end(device, ObjectKind.REGION, made.region());
            }
        });
    }

    @Override
    public void step() {
        if (others.size() < threads - 1) {
            stopped = false;
            for (int i = 1; i < threads; i++) {
                others.add(Thread.ofPlatform().daemon().name("storm").start(this::repeat));
            }
        }
        verb.accept(device);
    }

    @Override
    public void settle() {
        stopped = true;
        for (Thread other : others) {
            try {
                other.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        others.clear();
    }

    private void repeat() {
        while (!stopped) {
            verb.accept(device);
        }
    }

    private static Load of(Home home, int threads, Consumer<RawDevice> verb) throws VerbsException {
        return new ControlStorm(open(home), threads, verb);
    }

    private static RawDevice open(Home home) throws VerbsException {
        DriverDomain domain = (DriverDomain) home.domain();
        return RawDevice.open(domain, new RawResources(domain));
    }

    private static void end(RawDevice device, ObjectKind kind, long handle) {
        var _ = device.call(new ControlRequest.Destroy(kind, handle));
    }
}
