package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.cm.CmEvent;
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

    /**
     * The handles that management gave with a reply, of a channel, a listener, a membership, a registration or a
     * connection; those of calls too, which come with their event.
     */
    public static List<Long> managed(ControlReply reply) {
        if (!(reply instanceof ControlReply.Management management)) {
            return List.of();
        }
        return switch (management.reply()) {
            case ManagementReply.Opened opened -> List.of(opened.handle());
            case ManagementReply.Resolved resolved -> List.of(resolved.connection());
            case ManagementReply.Joined joined -> List.of(joined.handle());
            case ManagementReply.ServiceRegistered registered -> List.of(registered.handle());
            case ManagementReply.Notices taken ->
                taken.notices().stream()
                        .filter(notice -> notice.type() == CmEvent.Type.CONNECT_REQUEST)
                        .map(CmNotice::connection)
                        .toList();
            case ManagementReply.OwnGid _,
                    ManagementReply.Path _,
                    ManagementReply.Pending _,
                    ManagementReply.Members _,
                    ManagementReply.Services _ -> List.of();
        };
    }
}
