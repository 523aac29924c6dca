package io.hyperverbs.frontend.executable;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.ExecutableMemory;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts machine frames into requests of an executable, which counts frames within its own memory. Stateless; any thread.
 */
final class OwnFrames {
    private OwnFrames() {}

    /**
     * The request as the backend takes it.
     *
     * @throws VerbsException EFAULT if a frame is not of that memory
     */
    static ControlRequest inMachine(ControlRequest request, ExecutableMemory memory) throws VerbsException {
        return switch (request) {
            case ControlRequest.RegisterMemory r ->
                new ControlRequest.RegisterMemory(
                        r.pd(), r.virtualAddress(), r.lengthBytes(), r.access(), runs(r.runs(), memory));
            case ControlRequest.ReregisterMemory r ->
                new ControlRequest.ReregisterMemory(
                        r.region(),
                        r.changes(),
                        r.pd(),
                        r.virtualAddress(),
                        r.lengthBytes(),
                        r.access(),
                        runs(r.runs(), memory));
            case ControlRequest.RegisterRing r ->
                new ControlRequest.RegisterRing(r.context(), r.lengthBytes(), runs(r.runs(), memory));
            default -> request;
        };
    }

    private static List<FrameRun> runs(List<FrameRun> own, ExecutableMemory memory) throws VerbsException {
        List<FrameRun> runs = new ArrayList<>(own.size());
        for (FrameRun run : own) {
            // A run has no negative numbers.
            if (run.firstFrame() >= memory.frames() || run.count() > memory.frames() - run.firstFrame()) {
                throw new VerbsException(
                        VerbsStatus.EFAULT,
                        "frames " + run.firstFrame() + " + " + run.count() + " of " + memory.frames());
            }
            runs.add(new FrameRun(memory.firstMachineFrame() + run.firstFrame(), run.count()));
        }
        return runs;
    }
}
