package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.envelope.GuestGroup;
import io.hyperverbs.vmm.hypercall.HypercallPort;
import io.hyperverbs.vmm.hypercall.SynchronousPort;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.posix.EventFd;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.InputPipe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One domain as the VMM keeps it. Its state is the {@link DomainTable}'s to change; the rest is set
 * by the thread that starts it, and read by others once that thread is done or through volatile
 * fields.
 */
final class DomainRecord {
    private final int id;
    private final DomainSpec spec;
    private final HcaRecord hca;
    private final DomainFolder folder;
    private final int uid;
    private final byte[] token;
    private final long startedEpochMillis;

    /** Set by {@link DomainTable} alone, under its lock. */
    DomainState state = DomainState.STARTING;

    volatile @Nullable Extent ram;

    /** RAM that its driver gives to one executable each. */
    volatile List<Extent> executables = List.of();

    /** Of a domain with an address. */
    volatile @Nullable DomainNetwork network;

    volatile @Nullable EventFd doorbell;
    volatile @Nullable EventFd event;

    /** The write end of its verb log, until the domain has it. */
    volatile @Nullable Fd verbsLog;

    /** Writes its verb log down. */
    volatile @Nullable Console verbs;

    /** What its standard input goes on with, if the toolstack sends it. */
    volatile @Nullable InputPipe input;

    volatile @Nullable HypercallPort port;

    /** A device domain's, from its greeting to the end of its connection. */
    volatile @Nullable SynchronousPort synchronousPort;

    volatile @Nullable DomainProcess process;
    volatile @Nullable GuestGroup group;
    volatile long pid;
    volatile boolean stopRequested;
    volatile int exitCode;
    volatile boolean nativeExited;
    volatile String message = "";
    volatile String sandboxTier = "";

    /** It has ended, but the backend has not released it: its frames stay reserved. */
    volatile boolean withheld;

    /** The backend heard of this domain. */
    volatile boolean announced;

    /** As {@link StartTimes} has them; each written once, by the thread that has come so far. */
    volatile long processMillis;

    volatile long announcedMillis;
    volatile long connectedMillis;
    volatile long readyMillis;

    /** Completed when the backend has consented: the greeting of its process is answered from then on. */
    final CompletableFuture<Void> admitted = new CompletableFuture<>();

    /** Completed by the ready hypercall; failed when the domain ends first. */
    final CompletableFuture<Void> ready = new CompletableFuture<>();

    DomainRecord(int id, DomainSpec spec, HcaRecord hca, DomainFolder folder, int uid, byte[] token, long nowMillis) {
        this.id = id;
        this.spec = spec;
        this.hca = hca;
        this.folder = folder;
        this.uid = uid;
        this.token = token.clone();
        this.startedEpochMillis = nowMillis;
    }

    int id() {
        return id;
    }

    String name() {
        return spec.name();
    }

    DomainKind kind() {
        return spec.kind();
    }

    DomainSpec spec() {
        return spec;
    }

    /** The HCA that it owns or uses. */
    HcaRecord hca() {
        return hca;
    }

    boolean isOn(HcaRecord other) {
        return hca == other;
    }

    /** A native domain that this device domain hosts; null if it hosts none with that id, or is none. */
    @Nullable
    DomainRecord hosted(DomainTable table, int other) {
        DomainRecord found = table.find(other);
        boolean isHosted =
                kind() == DomainKind.BACKEND && found != null && found.isOn(hca) && found.kind() == DomainKind.NATIVE;
        return isHosted ? found : null;
    }

    DomainFolder folder() {
        return folder;
    }

    /** User of its process; 0: the VMM's own. */
    int uid() {
        return uid;
    }

    byte[] token() {
        return token.clone();
    }

    /** How its process ended, in words: for a limit of its group, or with an exit code. */
    String endOfProcess(int code) {
        GuestGroup limits = group;
        String excess = limits == null ? "" : limits.excess();
        return excess.isEmpty() ? "ended with exit code " + code : DomainReport.ENDED_BY_KERNEL + excess;
    }

    /** All its RAM: its own extent first, then those of executables. */
    List<Extent> memory() {
        List<Extent> all = new ArrayList<>();
        Extent own = ram;
        if (own != null) {
            all.add(own);
        }
        all.addAll(executables);
        return all;
    }

    /** Caller holds the table's lock. */
    DomainReport report() {
        DomainNetwork has = network;
        return new DomainReport(
                name(),
                id,
                kind(),
                state,
                pid,
                memory().stream().mapToLong(Extent::lengthBytes).sum(),
                startedEpochMillis,
                exitCode,
                message,
                folder.log().toString(),
                sandboxTier,
                folder.path().toString(),
                has == null ? "" : has.namespace().toString(),
                hca.name(),
                new StartTimes(processMillis, announcedMillis, connectedMillis, readyMillis));
    }
}
