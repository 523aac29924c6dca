package io.hyperverbs.backend.session;

import io.hyperverbs.backend.event.SessionEvents;
import io.hyperverbs.hca.HcaCommands.ShareInit;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ObjectKind;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * One domain's share of the driver. Its verbs run one at a time under {@link #lock}; handles are
 * looked up without it.
 */
public final class Session {
    private final int domain;
    private final String name;
    private final boolean nativeDomain;
    private final SessionSettings settings;
    private final List<FrameRun> ram;
    private final ReentrantLock lock = new ReentrantLock();
    private final TokenBucket controlRate;
    private final TokenBucket journalRate;
    private final ReplyWindow replies = new ReplyWindow();
    private final SessionEvents events;
    private final Rejections rejections = new Rejections();
    private final Leftovers leftovers = new Leftovers();
    private final HandleTable<ContextObject> contexts;
    private final HandleTable<PdObject> pds;
    private final HandleTable<RegionObject> regions;
    private final HandleTable<RingObject> rings;
    private final HandleTable<CqObject> cqs;
    private final HandleTable<QpObject> qps;
    private final HandleTable<AhObject> ahs;
    private final HandleTable<SrqObject> srqs;
    private final HandleTable<WindowObject> windows;
    private final AtomicLong controlMessages = new AtomicLong();
    private final AtomicLong dataMessages = new AtomicLong();
    private boolean closed;

    /**
     * @param settings whose quota is promised by {@link QuotaPromises}
     * @param ram the domain's memory, as the VMM says
     */
    public Session(int domain, String name, boolean nativeDomain, SessionSettings settings, List<FrameRun> ram) {
        this(domain, name, nativeDomain, settings, ram, new SecureRandom());
    }

    /**
     * As the other.
     *
     * @param handles source of the generations of handles, which nobody may guess
     */
    public Session(
            int domain,
            String name,
            boolean nativeDomain,
            SessionSettings settings,
            List<FrameRun> ram,
            RandomGenerator handles) {
        this.domain = domain;
        this.name = name;
        this.nativeDomain = nativeDomain;
        this.settings = settings;
        Quota quota = settings.quota();
        this.ram = List.copyOf(ram);
        // A domain that made all it may have can always end it: refused ends would be leaks.
        this.controlRate = new TokenBucket(quota.max(QuotaKind.CONTROL_RATE), quota.maxObjects());
        this.journalRate = new TokenBucket(quota.max(QuotaKind.JOURNAL));
        this.events = new SessionEvents(capacity(QuotaKind.EVENTS));
        contexts = new HandleTable<>(ObjectKind.CONTEXT, capacity(QuotaKind.UAR), handles);
        pds = new HandleTable<>(ObjectKind.PD, capacity(QuotaKind.PD), handles);
        regions = new HandleTable<>(ObjectKind.REGION, capacity(QuotaKind.MR), handles);
        rings = new HandleTable<>(ObjectKind.RING, capacity(QuotaKind.RING), handles);
        cqs = new HandleTable<>(ObjectKind.CQ, capacity(QuotaKind.CQ), handles);
        qps = new HandleTable<>(ObjectKind.QP, capacity(QuotaKind.QP), handles);
        ahs = new HandleTable<>(ObjectKind.AH, capacity(QuotaKind.AH), handles);
        srqs = new HandleTable<>(ObjectKind.SRQ, capacity(QuotaKind.SRQ), handles);
        windows = new HandleTable<>(ObjectKind.WINDOW, capacity(QuotaKind.MW), handles);
    }

    /** Counts a privileged verb that came in, whatever became of it. */
    public void countControlMessage() {
        controlMessages.incrementAndGet();
    }

    /** Counts a message of the forwarded data path that came in. */
    public void countDataMessage() {
        dataMessages.incrementAndGet();
    }

    /** Privileged verbs that came in so far. */
    public long controlMessages() {
        return controlMessages.get();
    }

    /** Messages of the forwarded data path that came in so far; none on bypass. */
    public long dataMessages() {
        return dataMessages.get();
    }

    public int domain() {
        return domain;
    }

    public String name() {
        return name;
    }

    /** Whether its programs run inside the device domain, with frames instead of grants. */
    public boolean isNative() {
        return nativeDomain;
    }

    /** What it gets of the engine. */
    public ShareInit share() {
        return settings.share();
    }

    public Quota quota() {
        return settings.quota();
    }

    /** On which it may open contexts. */
    public DataPaths paths() {
        return settings.paths();
    }

    /** P_Keys that its queue pairs may have, by index. */
    public PkeyTable pkeys() {
        return settings.pkeys();
    }

    /** All memory of the domain, in the order of its physical addresses. */
    public List<FrameRun> ram() {
        return ram;
    }

    public TokenBucket controlRate() {
        return controlRate;
    }

    /** Bytes of its records in the journal. */
    public TokenBucket journalRate() {
        return journalRate;
    }

    public ReplyWindow replies() {
        return replies;
    }

    public Rejections rejections() {
        return rejections;
    }

    public Leftovers leftovers() {
        return leftovers;
    }

    public SessionEvents events() {
        return events;
    }

    public HandleTable<ContextObject> contexts() {
        return contexts;
    }

    public HandleTable<PdObject> pds() {
        return pds;
    }

    public HandleTable<RegionObject> regions() {
        return regions;
    }

    public HandleTable<RingObject> rings() {
        return rings;
    }

    public HandleTable<CqObject> cqs() {
        return cqs;
    }

    public HandleTable<QpObject> qps() {
        return qps;
    }

    public HandleTable<AhObject> ahs() {
        return ahs;
    }

    public HandleTable<SrqObject> srqs() {
        return srqs;
    }

    public HandleTable<WindowObject> windows() {
        return windows;
    }

    public void lock() {
        lock.lock();
    }

    public void unlock() {
        lock.unlock();
    }

    /** Under the lock. */
    public boolean isClosed() {
        return closed;
    }

    /** No verb is taken any more; what is there is torn down next. Under the lock. */
    public void markClosed() {
        closed = true;
    }

    @Override
    public String toString() {
        return "session of " + name;
    }

    private int capacity(QuotaKind kind) {
        return (int) Math.min(HandleTable.MAX_CAPACITY, settings.quota().max(kind));
    }
}
