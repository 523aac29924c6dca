package io.hyperverbs.frontend;

import io.hyperverbs.hca.layout.StatusPageLayout;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.FrameRun;

/** Says of contexts, protection domains and completion queues that they were made; nobody works on them. */
public final class AnsweringPath implements ControlPath {
    private final long doorbellFrame;
    private final long statusFrame;
    private long lastHandle;

    public AnsweringPath(MadeMachine machine) {
        long doorbells = machine.take(1);
        long status = machine.take(1);
        UarLayout.format(machine.memory(), doorbells);
        StatusPageLayout.format(machine.memory(), status);
        doorbellFrame = doorbells / FrameRun.FRAME_BYTES;
        statusFrame = status / FrameRun.FRAME_BYTES;
    }

    @Override
    public synchronized ControlReply call(ControlRequest request) {
        return switch (request) {
            case ControlRequest.OpenContext _ ->
                new ControlReply.ContextOpened(++lastHandle, doorbellFrame, statusFrame);
            case ControlRequest.AllocatePd _ -> new ControlReply.PdAllocated(++lastHandle, 1);
            case ControlRequest.RegisterRing _ -> new ControlReply.RingRegistered(++lastHandle);
            case ControlRequest.CreateCq r -> new ControlReply.CqCreated(++lastHandle, 1, 0, r.entries());
            case ControlRequest.Destroy _ -> new ControlReply.Done();
            default -> new ControlReply.Refused(VerbsStatus.ENOSYS, "not in this test");
        };
    }

    @Override
    public void subscribe(EventSink sink) {}

    @Override
    public void close() {}
}
