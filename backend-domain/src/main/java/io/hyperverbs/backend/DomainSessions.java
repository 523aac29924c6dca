package io.hyperverbs.backend;

import io.hyperverbs.backend.channel.ChannelServers;
import io.hyperverbs.backend.channel.DeviceServer;
import io.hyperverbs.backend.journal.Journal;
import io.hyperverbs.backend.journal.JournalException;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.QuotaPromises;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionSettings;
import io.hyperverbs.backend.verbs.DirectControlPath;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.hyperverbs.backend.verbs.SessionTeardown;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.DomainNotice.Added;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of the domains there are. Opened and closed by the workers of notices, those of one
 * domain one at a time. Any thread.
 */
final class DomainSessions {
    private static final Logger LOG = LoggerFactory.getLogger(DomainSessions.class);
    private static final String SOCKET = "device.sock";

    /** What one domain has here. */
    private static final class Entry {
        final Session session;
        final int doorbellEventFd;

        @Nullable
        DeviceServer server;

        @Nullable
        DirectControlPath direct;

        boolean watched;
        boolean gone;

        Entry(Session session, int doorbellEventFd) {
            this.session = session;
            this.doorbellEventFd = doorbellEventFd;
        }
    }

    private final PkeyTable pkeys;
    private final QuotaPromises promises;
    private final RequestExecutor executor;
    private final SessionTeardown teardown;
    private final ChannelServers servers;
    private final DoorbellEpoll doorbells;
    private final Journal journal;
    private final Management management;
    private final Map<Integer, Entry> entries = new HashMap<>();

    /**
     * For the domains of an HCA.
     *
     * @param pkeys of the HCA
     */
    DomainSessions(
            PkeyTable pkeys,
            QuotaPromises promises,
            RequestExecutor executor,
            SessionTeardown teardown,
            ChannelServers servers,
            DoorbellEpoll doorbells,
            Journal journal,
            Management management) {
        this.pkeys = pkeys;
        this.promises = promises;
        this.executor = executor;
        this.teardown = teardown;
        this.servers = servers;
        this.doorbells = doorbells;
        this.journal = journal;
        this.management = management;
    }

    /**
     * Opens the session of a domain that is about to start; all or nothing.
     *
     * @return the control path of a native domain; null for a guest, whose socket listens now
     * @throws Refusal if its settings are wrong or the HCA has not that much left
     */
    @Nullable
    DirectControlPath open(Added domain) throws Refusal {
        SessionSettings settings = SessionSettings.of(domain.settings(), ramBytes(domain), pkeys);
        Quota quota = settings.quota();
        promises.promise(domain.name(), quota);
        Entry entry = new Entry(
                new Session(domain.domain(), domain.name(), domain.nativeDomain(), settings, ram(domain)),
                domain.nativeDomain() ? -1 : domain.doorbellEventFd());
        boolean open = false;
        try {
            management.open(entry.session);
            start(entry, domain);
            synchronized (entries) {
                entries.put(domain.domain(), entry);
            }
            open = true;
            return entry.direct;
        } catch (IOException e) {
            LOG.error("session of {} does not start", domain.name(), e);
            throw new Refusal(VerbsStatus.EIO, "device channel: " + e.getMessage());
        } finally {
            if (!open) {
                unwatch(entry);
                if (entry.server != null) {
                    entry.server.close();
                }
                management.end(entry.session);
                promises.withdraw(quota);
            }
        }
    }

    /**
     * Closes the session of a domain that ended; nothing happens if there is none.
     *
     * @return how many of its objects the HCA refused to release; they and their quota stay until a
     *     later call finds them gone
     */
    int close(int domain) {
        Entry entry;
        synchronized (entries) {
            entry = entries.get(domain);
        }
        if (entry == null) {
            return 0;
        }
        synchronized (entry) {
            if (entry.gone) {
                return 0;
            }
            unwatch(entry);
            int left = stop(entry);
            if (left > 0) {
                return left;
            }
            record(entry.session);
            promises.withdraw(entry.session.quota());
            entry.gone = true;
        }
        synchronized (entries) {
            entries.remove(domain, entry);
        }
        return 0;
    }

    private void record(Session session) {
        try {
            journal.ended(session.domain(), session.name(), session.controlMessages(), session.dataMessages());
        } catch (JournalException e) {
            LOG.warn("end of the session of {} not journalled", session.name(), e);
        }
    }

    /**
     * Closes a session whose domain broke the protocol. The domain itself is the VMM's business.
     */
    void violated(Session session, String words) {
        Entry entry;
        synchronized (entries) {
            entry = entries.get(session.domain());
        }
        if (entry != null && entry.session == session) {
            LOG.warn("{} broke the protocol: {}", session.name(), words);
            int left = stop(entry);
            LOG.info("session of {} closed, {} objects left", session.name(), left);
        }
    }

    /** The session of a domain; null if there is none. */
    @Nullable
    Session find(int domain) {
        synchronized (entries) {
            Entry entry = entries.get(domain);
            return entry == null ? null : entry.session;
        }
    }

    /** Ids of the domains that have a session. */
    int[] domains() {
        synchronized (entries) {
            return entries.keySet().stream().mapToInt(Integer::intValue).toArray();
        }
    }

    private void start(Entry entry, Added domain) throws IOException {
        if (domain.nativeDomain()) {
            entry.direct = new DirectControlPath(entry.session, executor);
            return;
        }
        entry.server =
                servers.open(entry.session, Path.of(domain.folder()).resolve(SOCKET), domain.uid(), domain.token());
        if (entry.doorbellEventFd >= 0) {
            doorbells.watch(entry.doorbellEventFd);
            entry.watched = true;
        }
    }

    private void unwatch(Entry entry) {
        if (entry.watched) {
            entry.watched = false;
            try {
                doorbells.unwatch(entry.doorbellEventFd);
            } catch (IOException e) {
                LOG.error("doorbell of {} still watched", entry.session.name(), e);
            }
        }
    }

    private int stop(Entry entry) {
        if (entry.server != null) {
            entry.server.close();
        }
        if (entry.direct != null) {
            entry.direct.close();
        }
        int left = teardown.close(entry.session);
        entry.session.events().close("the session is closed");
        return left;
    }

    private static List<FrameRun> ram(Added domain) {
        return domain.ram().stream()
                .map(extent -> new FrameRun(extent.firstMachineFrame(), extent.frames()))
                .toList();
    }

    private static long ramBytes(Added domain) {
        long frames = 0;
        for (MappedExtent extent : domain.ram()) {
            frames += extent.frames();
        }
        return frames * FrameRun.FRAME_BYTES;
    }
}
