package io.hyperverbs.lab.walk.model;

import io.hyperverbs.lab.walk.step.SendRequest;
import io.hyperverbs.lab.walk.step.StepVerb;
import io.hyperverbs.verbs.SendFlags;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A posted send request. */
final class ModelSend {
    final long wrId;

    /** In its queue, from 0 after RESET. */
    final int number;

    final SendRequest request;
    final List<Span> pieces;
    final Span remote;

    /** The window that is bound, or null. */
    final @Nullable ModelWindow window;

    /** The tag it is bound to. */
    final int bindTag;

    /** Of a datagram: what it names, or null where that is nobody's. */
    @Nullable
    ModelAh ah;

    @Nullable
    ModelQp receiver;

    /** The payload, if it was copied at post; else empty. */
    final short[] inline;

    ModelSend(
            long wrId,
            int number,
            SendRequest request,
            List<Span> pieces,
            Span remote,
            @Nullable ModelWindow window,
            int bindTag,
            short[] inline) {
        this.wrId = wrId;
        this.number = number;
        this.request = request;
        this.pieces = pieces;
        this.remote = remote;
        this.window = window;
        this.bindTag = bindTag;
        this.inline = inline;
    }

    StepVerb verb() {
        return request.verb();
    }

    boolean isInline() {
        return request.isInline();
    }

    boolean isSignalled() {
        return (request.flags() & SendFlags.SIGNALLED) != 0;
    }

    long lengthBytes() {
        return request.lengthBytes();
    }
}
