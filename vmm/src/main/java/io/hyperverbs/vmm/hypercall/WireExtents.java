package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.vmm.hypercall.wire.ExtentMessage;
import io.hyperverbs.vmm.hypercall.wire.RunMessage;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;
import java.util.List;

/** Extents and frame runs as hypercalls carry them. */
public final class WireExtents {
    private WireExtents() {}

    public static ExtentMessage of(Extent extent) {
        return ExtentMessage.newBuilder()
                .setFirstMachineFrame(extent.firstMachineFrame())
                .setFrames(extent.frames())
                .setKind(extent.kind().code())
                .build();
    }

    public static FrameKind kind(int code) {
        for (FrameKind kind : FrameKind.values()) {
            if (kind.code() == code) {
                return kind;
            }
        }
        throw new ProtocolViolation("frame kind " + code);
    }

    public static List<FrameRun> runs(List<RunMessage> runs) {
        return runs.stream()
                .map(run -> new FrameRun(run.getFirstFrame(), run.getCount()))
                .toList();
    }

    static List<RunMessage> messages(List<FrameRun> runs) {
        return runs.stream()
                .map(run -> RunMessage.newBuilder()
                        .setFirstFrame(run.firstFrame())
                        .setCount(run.count())
                        .build())
                .toList();
    }
}
