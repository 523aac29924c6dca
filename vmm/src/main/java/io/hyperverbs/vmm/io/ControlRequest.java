package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.SrqLimits;
import java.util.List;

/** A privileged verb on its way to the backend. Handles are the session's own. */
public sealed interface ControlRequest {

    /** Opens the device and takes a UAR page. */
    record OpenContext(DataPathKind dataPath) implements ControlRequest {}

    record QueryDevice(long context) implements ControlRequest {}

    record QueryPort(long context, int port) implements ControlRequest {}

    /** {@code port} from 1, {@code index} from 0, as the program gave them. */
    record QueryGid(long context, int port, int index) implements ControlRequest {}

    /** {@code port} from 1, {@code index} from 0, as the program gave them. */
    record QueryPkey(long context, int port, int index) implements ControlRequest {}

    record AllocatePd(long context) implements ControlRequest {}

    /** Opens an XRC domain, which is answered and destroyed as a PD is. */
    record OpenXrcd(long context) implements ControlRequest {}

    /** {@code runs} are machine frames from the one that holds the first byte, in order. */
    record RegisterMemory(long pd, long virtualAddress, long lengthBytes, int access, List<FrameRun> runs)
            implements ControlRequest {
        public RegisterMemory {
            runs = List.copyOf(runs);
        }
    }

    /**
     * First stage of creating a queue (Liu 2006 §4.3): whole frames that are contiguous in the
     * machine.
     */
    record RegisterRing(long context, long lengthBytes, List<FrameRun> runs) implements ControlRequest {
        public RegisterRing {
            runs = List.copyOf(runs);
        }
    }

    /** Second stage for a completion queue; {@code ring} is 0 on a forwarded data path. */
    record CreateCq(long context, int entries, long ring, boolean events) implements ControlRequest {}

    /**
     * Moves a completion queue into another ring, whose head is written already; {@code ring} is 0
     * on a forwarded data path.
     *
     * @param consumerIndex completions taken so far, which a forwarded path may not have told yet
     */
    record ResizeCq(long cq, int entries, long ring, int consumerIndex) implements ControlRequest {}

    /** An event after so many completions, or so long after the first of them. */
    record ModerateCq(long cq, int count, int periodMicros) implements ControlRequest {}

    /** Second stage for a queue pair; {@code ring} is 0 on a forwarded data path. */
    record CreateQp(long pd, int typeCode, long sendCq, long receiveCq, long ring, QpLimits limits, long srq)
            implements ControlRequest {
        /** One with a receive queue of its own. */
        public CreateQp(long pd, int typeCode, long sendCq, long receiveCq, long ring, QpLimits limits) {
            this(pd, typeCode, sendCq, receiveCq, ring, limits, 0);
        }
    }

    record ModifyQp(long qp, QpAttributes attributes) implements ControlRequest {}

    record QueryQp(long qp) implements ControlRequest {}

    record CreateAh(long pd, AddressAttributes attributes) implements ControlRequest {}

    record AttachMulticast(long qp, Gid group, int lid) implements ControlRequest {}

    record DetachMulticast(long qp, Gid group, int lid) implements ControlRequest {}

    /**
     * Second stage for a shared receive queue; {@code ring} is 0 on a forwarded data path.
     *
     * @param xrcd its XRC domain; 0 for none
     * @param cq where its receives complete with XRC; 0 for none
     */
    record CreateSrq(long pd, SrqLimits limits, long ring, long xrcd, long cq) implements ControlRequest {
        /** One for queue pairs that are created on it. */
        public CreateSrq(long pd, SrqLimits limits, long ring) {
            this(pd, limits, ring, 0, 0);
        }
    }

    /** Arms the limit of a shared receive queue, or disarms it with 0. */
    record ArmSrq(long srq, int limit) implements ControlRequest {}

    /** Moves a shared receive queue into another ring, which holds what is posted already. */
    record ResizeSrq(long srq, int receiveWr, long ring) implements ControlRequest {}

    record QuerySrq(long srq) implements ControlRequest {}

    /** {@code changes} are bits of {@code RegionChange}; what they do not name is not looked at. */
    record ReregisterMemory(
            long region, int changes, long pd, long virtualAddress, long lengthBytes, int access, List<FrameRun> runs)
            implements ControlRequest {
        public ReregisterMemory {
            runs = List.copyOf(runs);
        }
    }

    /** Answered by {@code MemoryRegistered}, and ended as a region. */
    record AllocateDmaKey(long pd) implements ControlRequest {}

    /** {@code typeCode} is {@code MemoryWindow.Type.code()}. */
    record AllocateWindow(long pd, int typeCode) implements ControlRequest {}

    record Destroy(ObjectKind kind, long handle) implements ControlRequest {}

    /** Subnet administration and connection manager (Liu 2006 §4.4). */
    record Management(ManagementRequest request) implements ControlRequest {}
}
