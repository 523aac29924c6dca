package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.vmm.hypercall.wire.ExtentMessage;
import io.hyperverbs.vmm.hypercall.wire.RunMessage;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;

import java.util.List;

/** Extents and frame runs as hypercalls carry them. */
@SuppressWarnings("EnumOrdinal") // FrameKind says that its ordinals travel
public final class WireExtents {
    private static final FrameKind[] KINDS = FrameKind.values();

    private WireExtents() {}

    public static ExtentMessage of(Extent extent) {
        return ExtentMessage.newBuilder()
                .setFirstMachineFrame(extent.firstMachineFrame())
                .setFrames(extent.frames())
                .setKind(number(extent.kind()))
                .build();
    }

    static int number(FrameKind kind) {
        return kind.ordinal();
    }

    public static FrameKind kind(int ordinal) {
        if (ordinal < 0 || ordinal >= KINDS.length) {
            throw new ProtocolViolation("frame kind " + ordinal);
        }
        return KINDS[ordinal];
    }

    public static List<FrameRun> runs(List<RunMessage> runs) {
        return runs.stream().map(run -> new FrameRun(run.getFirstFrame(), run.getCount())).toList();
    }

    static List<RunMessage> messages(List<FrameRun> runs) {
        return runs.stream()
                .map(
                        run ->
                                RunMessage.newBuilder()
                                        .setFirstFrame(run.firstFrame())
                                        .setCount(run.count())
                                        .build())
                .toList();
    }
}
