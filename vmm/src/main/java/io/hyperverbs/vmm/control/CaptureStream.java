package io.hyperverbs.vmm.control;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.hyperverbs.vmm.control.wire.CaptureChunk;
import io.hyperverbs.vmm.control.wire.CaptureRequest;
import io.hyperverbs.vmm.domain.MachineCapture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Sends what is in a capture's rings to the toolstack until it hangs up: its process may have been killed, its socket is
 * closed then. A toolstack that does not keep up is not waited for by anybody else; the rings run full. One thread.
 */
final class CaptureStream {
    private static final int MOST_BYTES = 1 << 18;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A chunk without records says up to when there were none. */
    private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final MachineCapture capture;
    private final ServerCallStreamObserver<CaptureChunk> out;
    private final BooleanSupplier isClosing;
    private final Context call = Context.current();
    private long sentNanos;

    /** {@code isClosing}: whether the machine ends. */
    CaptureStream(MachineCapture capture, ServerCallStreamObserver<CaptureChunk> out, BooleanSupplier isClosing) {
        this.capture = capture;
        this.out = out;
        this.isClosing = isClosing;
    }

    static MachineCapture.Settings settings(CaptureRequest request) {
        return new MachineCapture.Settings(
                request.getPorts(), request.getVerbs(), request.getSnapBytes(), request.getRingBytes());
    }

    /** Returns when the toolstack has hung up, or nothing more will come. */
    void run() {
        // Else a chunk to one that has just hung up would throw.
        out.setOnCancelHandler(() -> {});
        out.onNext(CaptureChunk.getDefaultInstance());
        while (!call.isCancelled()) {
            boolean isLast = capture.isOver() || isClosing.getAsBoolean();
            boolean isReady = out.isReady();
            boolean isSent = isReady && send();
            if (isReady && !isSent && isLast) {
                return;
            }
            if (!isSent) {
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
        }
    }

    /** Sends a chunk; false if there is nothing to send. */
    private boolean send() {
        long packetsNanos = System.nanoTime();
        byte[] packets = capture.packets().read(MOST_BYTES);
        long nowNanos = System.nanoTime();
        byte[] verbs = capture.verbs().read(MOST_BYTES);
        boolean isEmpty = packets.length == 0 && verbs.length == 0;
        if (isEmpty && nowNanos - sentNanos < SILENCE_NANOS) {
            return false;
        }
        sentNanos = nowNanos;
        out.onNext(CaptureChunk.newBuilder()
                .setPackets(UnsafeByteOperations.unsafeWrap(packets))
                .setVerbs(UnsafeByteOperations.unsafeWrap(verbs))
                .setPacketsUntil(packets.length == 0 ? packetsNanos : 0)
                .setVerbsUntil(verbs.length == 0 ? nowNanos : 0)
                .setDroppedPackets(capture.packets().dropped())
                .setDroppedVerbs(capture.verbs().dropped())
                .build());
        return !isEmpty;
    }
}
