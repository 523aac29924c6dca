package io.hyperverbs.vmm.control;

import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.hyperverbs.vmm.control.wire.CaptureChunk;
import io.hyperverbs.vmm.control.wire.CaptureRequest;
import io.hyperverbs.vmm.control.wire.MachineGrpc.MachineBlockingStub;
import io.hyperverbs.vmm.domain.MachineCapture;
import io.hyperverbs.vmm.domain.MachineException;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * A capture of one HCA that goes on until this is closed, or this process ends. {@link #next} is for one thread, {@link
 * #close} for any.
 */
public final class CaptureCall implements AutoCloseable {
    private final Context.CancellableContext context = Context.current().withCancellation();
    private final Iterator<CaptureChunk> chunks;

    /**
     * What came.
     *
     * @param packets records of {@code CaptureRecordLayout}, in the order of time; what ends within one goes on in the
     *     next chunk
     * @param verbs the same for control verbs
     * @param packetsUntil CLOCK_MONOTONIC, in nanoseconds: all packets up to then are here; 0 if that is not known
     * @param verbsUntil the same for verbs
     * @param droppedPackets how many found no room, from the beginning
     * @param droppedVerbs the same for verbs
     */
    @SuppressWarnings("ArrayRecordComponent") // Bytes that nobody compares.
    public record Chunk(
            byte[] packets, byte[] verbs, long packetsUntil, long verbsUntil, long droppedPackets, long droppedVerbs) {}

    /** Returns when the capture is on. */
    CaptureCall(MachineBlockingStub machine, String hca, MachineCapture.Settings settings) throws MachineException {
        CaptureRequest request = CaptureRequest.newBuilder()
                .setHca(hca)
                .setPorts(settings.ports())
                .setVerbs(settings.verbs())
                .setSnapBytes(settings.snapBytes())
                .setRingBytes(settings.ringBytes())
                .build();
        boolean isOn = false;
        try {
            chunks = context.wrap(() -> machine.capture(request)).call();
            // Refusals come as its first message.
            CaptureChunk _ = chunks.next();
            isOn = true;
        } catch (StatusRuntimeException e) {
            throw MachineErrors.decode(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            if (!isOn) {
                close();
            }
        }
    }

    /**
     * Waits for what comes next.
     *
     * @return null if there will be nothing more: the HCA's device domain has ended, or this was closed
     * @throws MachineException EIO: the VMM is gone
     */
    public @Nullable Chunk next() throws MachineException {
        try {
            return chunks.hasNext() ? chunk(chunks.next()) : null;
        } catch (StatusRuntimeException e) {
            if (context.isCancelled()) {
                return null;
            }
            throw MachineErrors.decode(e);
        }
    }

    private static Chunk chunk(CaptureChunk chunk) {
        return new Chunk(
                chunk.getPackets().toByteArray(),
                chunk.getVerbs().toByteArray(),
                chunk.getPacketsUntil(),
                chunk.getVerbsUntil(),
                chunk.getDroppedPackets(),
                chunk.getDroppedVerbs());
    }

    /** Ends it. */
    @Override
    public void close() {
        boolean _ = context.cancel(null);
    }
}
