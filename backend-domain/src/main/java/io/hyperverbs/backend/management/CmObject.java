package io.hyperverbs.backend.management;

import io.hyperverbs.backend.cm.ConnectionState;
import io.hyperverbs.backend.cm.RemoteEnd;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.ServiceRecord;
import io.hyperverbs.vmm.io.CmNotice;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Something that a session has a handle of. Under the lock of {@link Management}. */
abstract sealed class CmObject {
    final CmSession owner;
    final long handle;

    /** Unlike any other's, in the order they were made; says nothing of the handle. */
    final int number;

    /** What it counts as: {@link QuotaKind#CM} or {@link QuotaKind#SA}. */
    final QuotaKind quota;

    CmObject(CmSession owner, QuotaKind quota) {
        this.owner = owner;
        this.quota = quota;
        this.handle = owner.nextHandle();
        this.number = owner.numbers.getAsInt();
    }

    /** Keeps its context alive while it is there. */
    interface OfContext {
        ContextObject context();
    }

    /** Where the events of some connections wait to be taken. */
    static final class Channel extends CmObject implements OfContext {
        private final ContextObject context;
        final ArrayDeque<CmNotice> notices = new ArrayDeque<>();
        int users;

        Channel(CmSession owner, ContextObject context) {
            super(owner, QuotaKind.CM);
            this.context = context;
        }

        @Override
        public ContextObject context() {
            return context;
        }
    }

    /** A service id that a session listens to. */
    static final class Listener extends CmObject {
        final Channel channel;
        final long serviceId;
        final int backlog;
        int waiting;

        Listener(CmSession owner, Channel channel, long serviceId, int backlog) {
            super(owner, QuotaKind.CM);
            this.channel = channel;
            this.serviceId = serviceId;
            this.backlog = backlog;
        }
    }

    /** One end of a connection. */
    static final class Connection extends CmObject {
        final Channel channel;
        final CmParty destination;
        final PathRecord path;

        /** Whose backlog it is in, until it is answered. */
        @Nullable
        Listener listener;

        /** The other end, if that is on this HCA. */
        @Nullable
        Connection peer;

        /** How the other end is reached, if it is on another HCA. */
        @Nullable
        RemoteEnd remote;

        ConnectionState state = ConnectionState.IDLE;
        int qpn;
        int remoteQpn;
        boolean passive;

        /** Transport of the caller's queue pair, at the end that was called. */
        @Nullable
        QpType asked;

        int ackTimeout;
        long responseNanos;

        Connection(CmSession owner, Channel channel, CmParty destination, PathRecord path) {
            super(owner, QuotaKind.CM);
            this.channel = channel;
            this.destination = destination;
            this.path = path;
        }
    }

    /** One join of a multicast group. */
    static final class Membership extends CmObject implements OfContext {
        private final ContextObject context;
        final GroupRecord group;
        final int joinState;

        Membership(CmSession owner, ContextObject context, GroupRecord group, int joinState) {
            super(owner, QuotaKind.SA);
            this.context = context;
            this.group = group;
            this.joinState = joinState;
        }

        @Override
        public ContextObject context() {
            return context;
        }
    }

    /** A service record. */
    static final class Service extends CmObject implements OfContext {
        private final ContextObject context;
        final ServiceRecord service;

        /** When its lease ends; the largest: never. */
        final long endNanos;

        boolean ended;

        Service(CmSession owner, ContextObject context, ServiceRecord service, long endNanos) {
            super(owner, QuotaKind.SA);
            this.context = context;
            this.service = service;
            this.endNanos = endNanos;
        }

        @Override
        public ContextObject context() {
            return context;
        }
    }
}
