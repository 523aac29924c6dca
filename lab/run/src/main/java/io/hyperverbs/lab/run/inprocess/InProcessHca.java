package io.hyperverbs.lab.run.inprocess;

import io.hyperverbs.backend.event.EventRoutes;
import io.hyperverbs.backend.event.EventTarget;
import io.hyperverbs.backend.gsi.GsiPort;
import io.hyperverbs.backend.journal.Journal;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.verbs.DeviceServices;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.hyperverbs.hca.DoorbellSleep;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaEvent;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.capture.PacketTap;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.util.Random;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An HCA with its device domain's driver; it works in {@link #work} alone. For one thread. */
final class InProcessHca implements AutoCloseable {
    private final Wiring wiring;
    private final Journal journal;
    private final Hca hca;
    private final EventRoutes routes = new EventRoutes();
    private final HcaEvent event = new HcaEvent();
    private final Management management;
    private final RequestExecutor executor;

    /**
     * Closes {@code journal} in the end.
     *
     * @param keysSeed of the numbers it draws for keys and queue pairs
     */
    InProcessHca(HcaLimits limits, Wiring wiring, Frames frames, Journal journal, LongSupplier nanoTime, long keysSeed)
            throws HypercallException {
        this.journal = journal;
        this.wiring = wiring;
        MappedExtent status = frames.allocateFrames(FrameKind.EVENT, 1);
        long contextFrames = (Hca.contextMemoryBytes(limits) - 1) / FrameRun.FRAME_BYTES + 1;
        MappedExtent context = frames.allocateFrames(FrameKind.CONTEXT, contextFrames);
        hca = new Hca(
                frames.machineMemory(),
                () -> {},
                new NoSleep(),
                limits,
                wiring.ports(),
                wiring.network(),
                context.firstMachineFrame() * FrameRun.FRAME_BYTES,
                status.firstMachineFrame() * FrameRun.FRAME_BYTES,
                new Random(keysSeed));
        management = new Management(wiring.ports(), nanoTime, GsiPort.of(hca), wiring.neighbours());
        DeviceServices services =
                new DeviceServices(hca, limits, wiring.ports(), frames, status, routes, () -> {}, management);
        executor = new RequestExecutor(services, journal, nanoTime);
    }

    PkeyTable pkeys() {
        return wiring.ports().pkeyTable();
    }

    Management management() {
        return management;
    }

    RequestExecutor executor() {
        return executor;
    }

    /** Shows {@code tap} what it sends, gets and carries within itself from now on; null: nobody. */
    void capture(@Nullable PacketTap tap) {
        VerbsStatus status = hca.capture(tap);
        if (status != VerbsStatus.SUCCESS) {
            throw new IllegalStateException("no capture: " + status);
        }
    }

    /** Does some of what is to be done by then; how much that was. */
    int work(long nowNanos) {
        return hca.engine().doWork(nowNanos) + management.doWork(nowNanos);
    }

    /** Hands over the events that there are. */
    void relay() {
        while (hca.poll(event)) {
            EventTarget target = routes.find(event.uar());
            if (target != null) {
                switch (event.kind()) {
                    case COMPLETION -> target.completion(event.number());
                    case ASYNC -> target.async(event.asyncCode(), event.number());
                }
            }
        }
    }

    @Override
    public void close() {
        management.close();
        journal.close();
    }

    /** The engine works when a program waits. */
    private static final class NoSleep implements DoorbellSleep {
        @Override
        public void sleep(long maxNanos) {}

        @Override
        public void wake() {}
    }
}
