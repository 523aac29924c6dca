package io.hyperverbs.upper.mpi.progress;

import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.match.Envelope;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A message that is waited for. */
public final class ReceiveOperation extends MessageOperation {
    private final MemorySegment data;
    private @Nullable Envelope matched;
    private long arrivedBytes;

    ReceiveOperation(MemorySegment data) {
        this.data = data;
    }

    MemorySegment data() {
        return data;
    }

    /** How much of a message the buffer takes. */
    long fitting(Envelope message) {
        return Math.min(message.bytes(), data.byteSize());
    }

    void match(Envelope message) {
        matched = message;
    }

    /** A part of the message; what does not fit is left out. */
    void put(MemorySegment part, long partOffset, long offset, long bytes) {
        long fits = Math.clamp(data.byteSize() - offset, 0, bytes);
        if (fits > 0) {
            MemorySegment.copy(part, partOffset, data, offset, fits);
        }
        arrivedBytes += bytes;
        Envelope message = matched;
        if (message != null && arrivedBytes >= message.bytes()) {
            endAs(message);
        }
    }

    /** All of the message that fits is in the buffer. */
    void endAs(Envelope message) {
        end(message, tooLong(message));
    }

    private @Nullable MpiError tooLong(Envelope message) {
        return message.bytes() <= data.byteSize()
                ? null
                : new MpiError(
                        ErrorClass.TRUNCATE,
                        "message of " + message.bytes() + " bytes, the buffer has " + data.byteSize());
    }
}
