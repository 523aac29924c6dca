package io.hyperverbs.vmm.io;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers by which people know the objects behind the handles of one session: a queue pair's is the one on the wire.
 * Learned from answers, so that verb log, journal and tools have one spelling. Any thread.
 */
public class ObjectNames {
    /** Handles as they are. */
    public static final ObjectNames RAW = new ObjectNames() {
        @Override
        public String of(long handle) {
            return Long.toString(handle);
        }

        @Override
        boolean areKnown() {
            return false;
        }
    };

    /** The slot; the rest of a handle only makes it unique. */
    private static final long SLOT = 0xffff;

    private final Map<Long, String> names = new ConcurrentHashMap<>();

    /** Takes note of what a verb made or destroyed. */
    public void learn(ControlRequest request, ControlReply reply) {
        if (reply instanceof ControlReply.Done) {
            if (request instanceof ControlRequest.Destroy destroy) {
                names.remove(destroy.handle());
            }
        } else if (PrivilegedVerb.of(request).gives() != null && !(reply instanceof ControlReply.Refused)) {
            Shape<?> shape = ReplyShapes.of(reply);
            List<Field> fields = shape.fields();
            if (fields.size() > 1 && fields.get(1).isKnownBy()) {
                // The handle is the first.
                Object handle = Objects.requireNonNull(shape.component(reply, 0));
                names.put((Long) handle, fields.get(1).words(shape.component(reply, 1), this));
            }
        }
    }

    /** The number of that object; of one that has none but its handle, its slot. */
    public String of(long handle) {
        String name = names.get(handle);
        return name == null ? Long.toString(slot(handle)) : name;
    }

    /** Whether a handle's number is said in its place. */
    boolean areKnown() {
        return true;
    }

    /** The number of a handle: its slot in the session. */
    public static int slot(long handle) {
        return (int) (handle & SLOT);
    }
}
