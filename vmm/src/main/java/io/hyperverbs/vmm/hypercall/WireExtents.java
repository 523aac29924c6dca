package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.vmm.hypercall.wire.ExtentMessage;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;

/** Extents as hypercalls carry them. */
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
}
