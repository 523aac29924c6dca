package io.hyperverbs.backend.management;

import io.hyperverbs.backend.cm.MessageContent;
import io.hyperverbs.backend.management.CmObject.Channel;
import io.hyperverbs.backend.management.CmObject.Connection;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.vmm.io.CmNotice;

/**
 * Events that wait in channels. A connection has only a few: it makes no call while one of them is
 * unread. Under the lock of {@link Management}; stateless.
 */
final class CmEvents {
    private CmEvents() {}

    static void raise(Connection connection, CmEvent.Type type, VerbsStatus status, MessageContent content) {
        Channel channel = connection.channel;
        channel.notices.add(new CmNotice(
                type,
                connection.handle,
                content.serviceId(),
                status,
                status == VerbsStatus.ECONNREFUSED ? content.reject() : RejectReason.NONE,
                connection.destination.name(),
                connection.destination.gid(),
                content.offer(),
                content.data(),
                connection.path));
        channel.owner.session.events().connections(channel.handle);
    }

    /** Whether any of its events is unread. */
    static boolean has(Connection connection) {
        return connection.channel.notices.stream().anyMatch(n -> n.connection() == connection.handle);
    }

    static void drop(Connection connection) {
        connection.channel.notices.removeIf(n -> n.connection() == connection.handle);
    }
}
