package io.hyperverbs.upper.mpi.progress;

import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.match.Envelope;
import org.jspecify.annotations.Nullable;

/** A send or a receive that was begun. One thread. */
public abstract sealed class MessageOperation permits SendOperation, ReceiveOperation {
    private boolean done;
    private @Nullable Envelope envelope;
    private @Nullable MpiError error;

    /** Whether it has ended, well or not. */
    public final boolean isDone() {
        return done;
    }

    /** The envelope of the message received; null of a send. */
    public final @Nullable Envelope envelope() {
        return envelope;
    }

    /** What was wrong with it; null if nothing was. */
    public final @Nullable MpiError error() {
        return error;
    }

    final void end() {
        done = true;
    }

    final void end(Envelope of, @Nullable MpiError wrong) {
        envelope = of;
        error = wrong;
        done = true;
    }
}
