package io.hyperverbs.vmm.io;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Handles in requests and replies, for who passes on the verbs of several parties and keeps them apart. Stateless; any
 * thread.
 */
public final class VerbHandles {
    private VerbHandles() {}

    /** The handles that a request names, without zeroes. */
    public static List<Long> named(ControlRequest request) {
        Shape<?> shape = PrivilegedVerb.of(request).shape();
        Object content = PrivilegedVerb.content(request);
        List<Long> named = new ArrayList<>();
        List<Field> fields = shape.fields();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).isHandle() && shape.component(content, i) instanceof Long handle && handle != 0) {
                named.add(handle);
            }
        }
        return named;
    }

    /** The handle of the object that a verb made; empty if it made none. */
    public static OptionalLong given(ControlRequest request, ControlReply reply) {
        if (PrivilegedVerb.of(request).gives() == null
                || reply instanceof ControlReply.Refused
                || reply instanceof ControlReply.Done) {
            return OptionalLong.empty();
        }
        // The handle is the first.
        return ReplyShapes.of(reply).component(reply, 0) instanceof Long handle
                ? OptionalLong.of(handle)
                : OptionalLong.empty();
    }
}
