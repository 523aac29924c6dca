package io.hyperverbs.backend.management;

import io.hyperverbs.backend.gsi.GsiPort;
import io.hyperverbs.backend.management.CmObject.Channel;
import io.hyperverbs.backend.management.CmObject.Connection;
import io.hyperverbs.backend.management.CmObject.Listener;
import io.hyperverbs.backend.management.CmObject.Membership;
import io.hyperverbs.backend.management.CmObject.Service;
import io.hyperverbs.backend.sa.NeighbourHcas;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.MemberRecord;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.ServiceRecord;
import io.hyperverbs.vmm.hypercall.SessionReport.CmId;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subnet administration and connection manager of the HCA (Liu 2006 §4.4). Any thread; what a
 * session asks for is asked under its lock.
 */
public final class Management implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Management.class);
    private static final int NOTICES_PER_TAKE = 16;
    private static final int MADS_PER_TURN = 64;

    /** Answers of other HCAs may be there then. */
    private static final int PENDING_MICROS = 500;

    private final LongSupplier nanoTime;
    private final Subnet subnet;
    private final Parties parties;
    private final RemoteManagement remote;
    private final Connections connections;
    private final LocalCalls calls;
    private final RemoteCalls remoteCalls;
    private final MulticastGroups groups;
    private final Services services = new Services();
    private volatile @Nullable Thread timer;
    private volatile boolean stopping;

    /** Of an HCA without a wire; {@code nanoTime} is the clock of timeouts and leases. */
    public Management(PortSettings ports, LongSupplier nanoTime) {
        this(ports, nanoTime, GsiPort.none(), NeighbourHcas.none());
    }

    /**
     * Of an HCA that other HCAs are connected with.
     *
     * @param gsi QP1 of the HCA
     */
    public Management(PortSettings ports, LongSupplier nanoTime, GsiPort gsi, NeighbourHcas neighbours) {
        this.nanoTime = nanoTime;
        this.subnet = new Subnet(ports, neighbours);
        this.remote = new RemoteManagement(gsi, neighbours, subnet);
        this.parties = new Parties(subnet, remote.directory());
        this.connections = new Connections(remote.connections());
        this.calls = new LocalCalls(subnet, connections);
        this.remoteCalls = new RemoteCalls(subnet, connections, calls, remote.connections(), remote.directory());
        this.groups = new MulticastGroups(subnet);
        remote.onArrival(this::wake);
    }

    /**
     * Starts the timer, a thread that sleeps until something is due or a datagram comes; else {@link #doWork} is to be
     * called.
     */
    public Management start() {
        timer = Thread.ofPlatform().name("cm-timer").daemon().start(this::keepTime);
        return this;
    }

    /** The guest can be found from now on; before its first request. */
    public synchronized void open(Session session) {
        subnet.add(session);
    }

    /** Releases all that the session has and notifies its peers. */
    public synchronized void end(Session session) {
        CmSession gone = subnet.remove(session);
        if (gone == null) {
            return;
        }
        gone.listeners.clear();
        for (CmObject object : gone.objects()) {
            switch (object) {
                case Connection connection -> connections.abandon(connection, now());
                case Membership membership -> groups.leave(membership);
                case Service service -> services.end(service);
                case Channel _, Listener _ -> {}
            }
            if (object instanceof CmObject.OfContext of) {
                of.context().dereference();
            }
            gone.remove(object);
        }
        wake();
    }

    /** Whether a guest of that name is on this HCA. */
    public synchronized boolean knows(String guest) {
        return subnet.knows(guest);
    }

    /** Whether guests that are not here are looked for on other HCAs. */
    public boolean asksOthers() {
        return remote.asksOthers();
    }

    public synchronized long createChannel(Session session, ContextObject context) throws Refusal {
        CmSession owner = cmSession(session);
        owner.checkRoom(QuotaKind.CM);
        Channel channel = new Channel(owner, context);
        owner.add(channel);
        context.reference();
        return channel.handle;
    }

    public synchronized long listen(Session session, ManagementRequest.Listen request) throws Refusal {
        CmSession owner = cmSession(session);
        Channel channel = owner.parameter(request.channel(), Channel.class);
        return calls.listen(owner, channel, request.serviceId(), request.backlog()).handle;
    }

    public synchronized ManagementReply resolve(Session session, ManagementRequest.Resolve request) throws Refusal {
        CmSession owner = cmSession(session);
        Channel channel = owner.parameter(request.channel(), Channel.class);
        CmParty to = parties.find(owner, request.to(), now());
        wake();
        if (to == null) {
            throw Parties.nobody();
        }
        Connection made = connections.resolve(owner, channel, to, subnet.path(owner, to));
        return new ManagementReply.Resolved(made.handle, to.name(), made.path);
    }

    public synchronized void connect(Session session, ManagementRequest.Connect request) throws Refusal {
        calls.connect(connection(session, request.connection()), request, remoteCalls, now());
        wake();
    }

    public synchronized void accept(Session session, ManagementRequest.Accept request) throws Refusal {
        connections.accept(connection(session, request.connection()), request, now());
        wake();
    }

    public synchronized void answer(Session session, ManagementRequest.Answer request) throws Refusal {
        connections.answer(connection(session, request.connection()), request, now());
        wake();
    }

    /** Removes the oldest events of a channel and returns them. */
    public synchronized ManagementReply take(Session session, long channelHandle) throws Refusal {
        Channel channel = cmSession(session).parameter(channelHandle, Channel.class);
        List<CmNotice> taken = new ArrayList<>();
        while (taken.size() < NOTICES_PER_TAKE && !channel.notices.isEmpty()) {
            taken.add(channel.notices.remove());
        }
        return new ManagementReply.Notices(taken, !channel.notices.isEmpty());
    }

    /** ENOENT for an unknown handle, EBUSY for a channel in use. */
    public synchronized void release(Session session, long handle) throws Refusal {
        CmSession owner = cmSession(session);
        switch (owner.find(handle)) {
            case null -> throw new Refusal(VerbsStatus.ENOENT, "no such handle");
            case Channel channel -> {
                if (channel.users > 0) {
                    throw new Refusal(VerbsStatus.EBUSY, "channel is used by " + channel.users + " other objects");
                }
                session.events().forgetConnections(handle);
                owner.remove(channel);
                channel.context().dereference();
            }
            case Listener listener -> {
                calls.close(listener, now());
                wake();
            }
            case Connection connection -> {
                connections.close(connection, now());
                wake();
            }
            case Membership membership -> {
                groups.leave(membership);
                membership.context().dereference();
            }
            case Service service -> {
                services.end(service);
                owner.remove(service);
                service.context().dereference();
            }
        }
    }

    public synchronized Gid gid(Session session) {
        return cmSession(session).gid;
    }

    /** The path to a peer, or that other HCAs are asked for it. */
    public synchronized ManagementReply path(Session session, Destination to) throws Refusal {
        CmSession from = cmSession(session);
        PathRecord ofPort = subnet.portPath(from, to);
        if (ofPort != null) {
            return new ManagementReply.Path(ofPort);
        }
        CmParty party = parties.find(from, to, now());
        wake();
        return party == null
                ? new ManagementReply.Pending(PENDING_MICROS)
                : new ManagementReply.Path(subnet.path(from, party));
    }

    public synchronized ManagementReply join(
            Session session, ContextObject context, ManagementRequest.JoinGroup request) throws Refusal {
        CmSession member = cmSession(session);
        Membership joined = groups.join(member, context, request.group(), request.joinState(), request.qkey());
        context.reference();
        return new ManagementReply.Joined(joined.handle, groups.record(joined.group, member));
    }

    public synchronized List<MemberRecord> members(Gid group) {
        return groups.members(group);
    }

    public synchronized ManagementReply register(
            Session session, ContextObject context, ManagementRequest.RegisterService request) throws Refusal {
        Service service = services.register(cmSession(session), context, request, now());
        context.reference();
        return new ManagementReply.ServiceRegistered(service.handle, service.service);
    }

    public synchronized List<ServiceRecord> services(ManagementRequest.QueryServices query) {
        return services.find(query, now());
    }

    /**
     * What the session has of {@link QuotaKind#CM}, {@link QuotaKind#SA} or {@link
     * QuotaKind#GROUP}; 0 if it is gone.
     */
    public synchronized long used(Session session, QuotaKind kind) {
        CmSession found = subnet.find(session);
        return found == null ? 0 : found.used(kind);
    }

    /**
     * The session's listeners and ends of connections, by number.
     *
     * @param after only those with larger numbers
     * @param most how many at most
     */
    public synchronized List<CmId> ids(Session session, int after, int most) {
        CmSession found = subnet.find(session);
        List<CmId> ids = new ArrayList<>();
        for (CmObject object : found == null ? List.<CmObject>of() : found.objects()) {
            CmId id = object.number > after && ids.size() < most ? CmIds.of(object) : null;
            if (id != null) {
                ids.add(id);
            }
        }
        return ids;
    }

    /**
     * Ends what has waited long enough, and speaks with other HCAs. For one thread, which waits for the engine in it.
     *
     * @return how much there was to do
     */
    public int doWork(long nowNanos) {
        int done = 0;
        while (done < MADS_PER_TURN && remote.next()) {
            receive(nowNanos);
            done++;
        }
        synchronized (this) {
            done += expire(nowNanos) + remote.doWork(remoteCalls, nowNanos);
        }
        return done + remote.send();
    }

    private synchronized void receive(long nowNanos) {
        try {
            remote.receive(remoteCalls, nowNanos);
        } catch (RuntimeException | Error e) {
            LOG.error("a management datagram failed", e);
        }
    }

    private int expire(long nowNanos) {
        int expired = 0;
        Connection due = connections.deadlines().takeExpired(nowNanos);
        while (due != null) {
            connections.expire(due, nowNanos);
            expired++;
            due = connections.deadlines().takeExpired(nowNanos);
        }
        return expired;
    }

    /** Objects of a session, for tests. */
    synchronized int size(Session session) {
        CmSession found = subnet.find(session);
        return found == null ? 0 : found.objects().size();
    }

    /** Ends the timer. */
    @Override
    public void close() {
        stopping = true;
        wake();
    }

    /** There may be something to do for the timer. Any thread, the engine's too. */
    private void wake() {
        LockSupport.unpark(timer);
    }

    private void keepTime() {
        while (!stopping && !Thread.currentThread().isInterrupted()) {
            if (workConfined() > 0) {
                continue;
            }
            long next = nextNanos();
            if (next == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, next - now());
            }
        }
    }

    private synchronized long nextNanos() {
        return Math.min(connections.deadlines().next(), remote.nextNanos());
    }

    /** A connection whose time cannot be ended has been taken out; the others' time goes on. */
    private int workConfined() {
        try {
            return doWork(now());
        } catch (RuntimeException | Error e) {
            LOG.error("a connection's time-out failed", e);
            return 0;
        }
    }

    private Connection connection(Session session, long handle) throws Refusal {
        return cmSession(session).parameter(handle, Connection.class);
    }

    private CmSession cmSession(Session session) {
        CmSession found = subnet.find(session);
        if (found == null) {
            throw new IllegalStateException("session of " + session.name() + " was not opened");
        }
        return found;
    }

    private long now() {
        return nanoTime.getAsLong();
    }
}
