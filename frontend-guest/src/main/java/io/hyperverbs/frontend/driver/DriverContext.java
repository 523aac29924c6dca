package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.event.AsyncEvents;
import io.hyperverbs.frontend.event.CqEventState;
import io.hyperverbs.frontend.event.DriverChannel;
import io.hyperverbs.frontend.event.PostedEvents;
import io.hyperverbs.frontend.management.DriverConnectionManager;
import io.hyperverbs.frontend.management.DriverSubnet;
import io.hyperverbs.frontend.management.ManagementCalls;
import io.hyperverbs.frontend.management.PkeyIndexes;
import io.hyperverbs.frontend.path.BypassPath;
import io.hyperverbs.frontend.path.DataPath;
import io.hyperverbs.frontend.path.ForwardedChannels;
import io.hyperverbs.frontend.path.ForwardedPath;
import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.ProgramExit;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.XrcDomain;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.io.ObjectNames;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An opened device with its data path. Any thread. */
final class DriverContext extends VerbsNode
        implements Context, ConnectionManager.Provider, SubnetAdministration.Provider {
    private final DriverParts parts;
    private final long handle;
    private final DataPath path;
    private final @Nullable PostedEvents posted;
    private final SharedQueues sharedQueues = new SharedQueues();
    private final AsyncEvents asyncEvents;
    private final AtomicInteger channels = new AtomicInteger();
    private final @Nullable ThreadGroup opener = Thread.currentThread().getThreadGroup();
    private volatile boolean programEnded;
    private final ConnectionManager connections;
    private final SubnetAdministration subnet;

    private DriverContext(DriverParts parts, long handle, DataPath path) {
        this.parts = parts;
        this.handle = handle;
        this.path = path;
        MemorySegment page = parts.postsEvents() ? path.eventPage().orElse(null) : null;
        int slot = ObjectNames.slot(handle);
        this.posted = page == null ? null : PostedEvents.on(page, "events-" + slot);
        this.asyncEvents = page == null ? AsyncEvents.forwarded() : AsyncEvents.posted(page, "async-" + slot);
        ManagementCalls management = new ManagementCalls(
                parts.verbs(), parts.events(), this, handle, new PkeyIndexes(parts.verbs(), handle));
        this.connections = new DriverConnectionManager(management);
        this.subnet = new DriverSubnet(management);
    }

    static DriverContext open(DriverDevice device, DriverParts parts, DataPathKind kind) throws VerbsException {
        try (Rollback undo = new Rollback()) {
            ControlReply.ContextOpened opened =
                    parts.verbs().call(new ControlRequest.OpenContext(kind), ControlReply.ContextOpened.class);
            undo.add(() -> parts.verbs().destroy(ObjectKind.CONTEXT, opened.context()));
            DataPath path = kind == DataPathKind.BYPASS
                    ? BypassPath.map(parts.machine(), parts.verbs(), parts.ram(), opened)
                    : new ForwardedPath(kind, forwarded(parts, kind).channel(kind));
            undo.add(path::close);
            DriverContext context = new DriverContext(parts, opened.context(), path);
            undo.add(context::stopEvents);
            context.dependOn(device);
            parts.events().addContext(opened.context(), context.asyncEvents);
            undo.keep();
            return context;
        }
    }

    @Override
    public DataPathKind dataPath() {
        return path.kind();
    }

    @Override
    public DeviceAttributes queryDevice() throws VerbsException {
        requireOpen();
        return parts.verbs()
                .call(new ControlRequest.QueryDevice(handle), ControlReply.DeviceQueried.class)
                .attributes();
    }

    @Override
    public PortAttributes queryPort(int port) throws VerbsException {
        requireOpen();
        return parts.verbs()
                .call(new ControlRequest.QueryPort(handle, port), ControlReply.PortQueried.class)
                .attributes();
    }

    @Override
    public Gid queryGid(int port, int index) throws VerbsException {
        requireOpen();
        return parts.verbs()
                .call(new ControlRequest.QueryGid(handle, port, index), ControlReply.GidQueried.class)
                .gid();
    }

    @Override
    public int queryPkey(int port, int index) throws VerbsException {
        requireOpen();
        return parts.verbs()
                .call(new ControlRequest.QueryPkey(handle, port, index), ControlReply.PkeyQueried.class)
                .pkey();
    }

    @Override
    public ProtectionDomain allocateParentDomain(ProtectionDomain parent) throws VerbsException {
        requireOpen();
        if (!(parent instanceof DriverPd pd) || pd.driverContext() != this) {
            throw new VerbsException(VerbsStatus.EINVAL, "protection domain of another context");
        }
        return DriverPd.parentDomain(pd);
    }

    @Override
    public ProtectionDomain allocatePd() throws VerbsException {
        requireOpen();
        return DriverPd.allocate(this);
    }

    @Override
    public XrcDomain openXrcDomain() throws VerbsException {
        requireOpen();
        return DriverXrcDomain.open(this);
    }

    @Override
    public CompletionChannel createChannel() throws VerbsException {
        return DriverChannel.create(channels.incrementAndGet(), this, parts.events(), posted);
    }

    @Override
    public CompletionQueue createCq(int entries, @Nullable CompletionChannel channel) throws VerbsException {
        requireOpen();
        return switch (channel) {
            case null -> DriverCq.create(this, entries, null);
            case DriverChannel own when own.isOf(this) -> DriverCq.create(this, entries, own);
            default -> throw new VerbsException(VerbsStatus.EINVAL, "channel of another context");
        };
    }

    @Override
    public Optional<AsyncEvent> awaitAsyncEvent(Duration timeout) throws VerbsException {
        return asyncEvents.await(timeout);
    }

    @Override
    public Optional<AsyncEvent> getAsyncEvent(Duration timeout) throws VerbsException {
        return asyncEvents.take(timeout);
    }

    @Override
    public void acknowledge(AsyncEvent event) {
        asyncEvents.acknowledge(event);
    }

    @Override
    public ConnectionManager connectionManager() {
        return connections;
    }

    @Override
    public SubnetAdministration subnetAdministration() {
        return subnet;
    }

    @Override
    public String describe() {
        return "context " + ObjectNames.slot(handle);
    }

    @Override
    protected void destroy() throws VerbsException {
        // First, as the page is another's when the context is gone.
        stopEvents();
        try {
            parts.verbs().destroy(ObjectKind.CONTEXT, handle);
        } catch (VerbsException e) {
            asyncEvents.start();
            if (posted != null) {
                posted.start();
            }
            throw e;
        }
        parts.events().forgetContext(handle);
        path.close();
    }

    private void stopEvents() {
        asyncEvents.stop();
        if (posted != null) {
            posted.stop();
        }
    }

    /** Whether a thread of that group, or of one within it, opened this context. */
    boolean isOpenedBy(ThreadGroup program) {
        return opener != null && program.parentOf(opener);
    }

    /** Its program is over: from now on {@link #pollClosed} ends threads that go on. */
    void endProgram() {
        programEnded = true;
    }

    /** What there is in a closed completion queue: nothing. */
    int pollClosed() {
        if (programEnded) {
            // Interrupts do not reach a thread that spins; this does.
            throw new ProgramExit(0);
        }
        return 0;
    }

    /** Events of the completion queue with that handle and doorbell slot go to {@code events}. */
    void listen(ControlReply.CqCreated queue, CqEventState events) {
        parts.events().add(queue.cq(), events);
        if (posted != null) {
            posted.add(queue.slot(), events);
        }
    }

    /** The completion queue is gone. */
    void forget(ControlReply.CqCreated queue) {
        parts.events().forget(queue.cq());
        if (posted != null) {
            posted.forget(queue.slot());
        }
    }

    AsyncEvents asyncEvents() {
        return asyncEvents;
    }

    DriverParts parts() {
        return parts;
    }

    long handle() {
        return handle;
    }

    SharedQueues sharedQueues() {
        return sharedQueues;
    }

    DataPath path() {
        return path;
    }

    /** Last word of the verb log for posts and polls of this context. */
    String pathWord() {
        return path.kind() == DataPathKind.BYPASS ? "bypass" : "forwarded";
    }

    private static ForwardedChannels forwarded(DriverParts parts, DataPathKind kind) throws VerbsException {
        ForwardedChannels channels = parts.channels();
        if (channels == null) {
            throw new VerbsException(VerbsStatus.ENOSYS, "this domain has no device channel for " + kind);
        }
        return channels;
    }
}
