package io.hyperverbs.hca;

import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/**
 * The command interface of the HCA, for its driver in the device domain. Each command is applied by
 * the engine at a quiescent point of the object it concerns, and has taken effect when the call
 * returns. Any thread. Statuses are returned, not thrown; the driver has checked ownership and
 * quotas before.
 */
public interface HcaCommands {
    /** A number the HCA gave, or why not. */
    record Numbered(VerbsStatus status, int number) {}

    /** A number and the doorbell slot in its UAR page. */
    record Slotted(VerbsStatus status, int number, int slot) {}

    /**
     * What a domain gets of the engine.
     *
     * @param weight from 1
     * @param bytesPerSecond that its queue pairs may move, 0 for any number
     * @param messagesPerSecond that they may begin, 0 for any number
     */
    record ShareInit(int weight, long bytesPerSecond, long messagesPerSecond) {
        public static final ShareInit STANDARD = new ShareInit(1, 0, 0);
    }

    /** A new region's number and keys. */
    record Keyed(VerbsStatus status, int region, int lkey, int rkey) {}

    /** A new window's number and first key. */
    record Windowed(VerbsStatus status, int window, int rkey) {}

    /** How a port is. */
    record PortReport(VerbsStatus status, PortState state, int badPkeys, int qkeyViolations) {}

    /** A number the HCA gave, or why not, with the reason in words. */
    record Handled(VerbsStatus status, int number, String message) {}

    /** What came of a modify or attach, with the reason in words. */
    record Outcome(VerbsStatus status, String message) {}

    /**
     * A region to create. The first byte is {@code offsetInFirstRun} bytes into the first run.
     *
     * @param access {@link io.hyperverbs.verbs.Access#mask}
     */
    record RegionInit(
            int pd, long virtualAddress, long lengthBytes, int access, List<MachineRun> runs, long offsetInFirstRun) {}

    /**
     * A shared receive queue to create.
     *
     * @param uar of the context, whose events it raises
     * @param pd in which keys of its receives are looked up
     * @param ringMachineAddress its ring memory, contiguous, {@code SrqGeometry.totalBytes()} long,
     *     its indexes 0
     * @param xrcd its XRC domain, 0 for none
     * @param cq where its receives complete with XRC; 0 for none
     */
    record SrqInit(int uar, int pd, long ringMachineAddress, int receiveWr, int receiveSge, int xrcd, int cq) {
        /** One for queue pairs that are created on it. */
        public SrqInit(int uar, int pd, long ringMachineAddress, int receiveWr, int receiveSge) {
            this(uar, pd, ringMachineAddress, receiveWr, receiveSge, 0, 0);
        }
    }

    /** What a shared receive queue is like: its limit, 0 if not armed, and its head index. */
    record SrqState(VerbsStatus status, int entries, int limit, int head) {}

    /**
     * A queue pair to create, in RESET.
     *
     * @param pd protection domain; of an XRC target, its XRC domain
     * @param srq number of the shared receive queue it takes receives from, 0 for none
     * @param uar of the context, for the doorbell slot
     * @param ringMachineAddress its ring memory, contiguous, {@code QueueGeometry.totalBytes()}
     *     long
     * @param weight share of the engine, from 1
     */
    record QpInit(
            int uar,
            int pd,
            QpType type,
            int sendCq,
            int receiveCq,
            long ringMachineAddress,
            QpLimits limits,
            int weight,
            int srq) {
        /** One with a receive queue of its own. */
        public QpInit(
                int uar,
                int pd,
                QpType type,
                int sendCq,
                int receiveCq,
                long ringMachineAddress,
                QpLimits limits,
                int weight) {
            this(uar, pd, type, sendCq, receiveCq, ringMachineAddress, limits, weight, 0);
        }
    }

    /**
     * Starts to look at a UAR page of {@code domain}; objects and events of it carry this UAR's
     * number.
     *
     * @param share of the engine, from the domain's first page on
     * @param pkeys those that queue pairs of this context may have, by index
     */
    Numbered openUar(int domain, long uarMachineAddress, ShareInit share, PkeyTable pkeys);

    /** A domain has ended: its pending charges are dropped. Its pages are closed. */
    default void endDomain(int domain) {}

    /** EBUSY while objects use its slots. After it returns the page is never read again. */
    VerbsStatus closeUar(int uar);

    /** EINVAL if there is no such port. */
    PortReport queryPort(int port);

    /**
     * Takes a port down or up: its messages are dropped while it is down, and every open context
     * gets PORT_ERR or PORT_ACTIVE. EINVAL if there is no such port.
     */
    VerbsStatus setPort(int port, boolean up);

    Numbered allocatePd(int domain);

    /** EBUSY while regions, windows, queue pairs or address handles are in it. */
    VerbsStatus deallocatePd(int pd);

    /** Opens an XRC domain; no other domain of either kind has its number. */
    Numbered openXrcd(int domain);

    /** EBUSY while shared receive queues or targets are in it. */
    VerbsStatus closeXrcd(int xrcd);

    Keyed createRegion(RegionInit init);

    /**
     * Re-registers a region under its number, with new keys; as {@link #createRegion}. EBUSY while
     * windows are bound to it. After it returns no byte lands through its old keys.
     */
    Keyed reregisterRegion(int region, RegionInit init);

    /**
     * EBUSY while windows are bound to it. After it returns no byte lands through the region's
     * keys, copies in flight included.
     */
    VerbsStatus destroyRegion(int region);

    /** A window that is not bound. */
    Windowed allocateWindow(int pd, MemoryWindow.Type type);

    /** Unbinds it first; after it returns no byte lands through its key. */
    VerbsStatus deallocateWindow(int window);

    /**
     * {@code ringMachineAddress}: {@code CqHeaderLayout.totalBytes(entries)} bytes, contiguous;
     * entries a power of two.
     */
    Slotted createCq(int uar, long ringMachineAddress, int entries);

    /**
     * Moves the queue into other ring memory, {@code CqHeaderLayout.totalBytes(entries)} long, in
     * whose head the consumer index and the arm words are already. Completions not yet taken stay
     * in the old memory, which is never touched again. EINVAL, and nothing changed, if there are
     * more of them than entries, or after an overrun.
     */
    VerbsStatus resizeCq(int cq, long ringMachineAddress, int entries);

    /** An event after so many completions or so long after the first, as ibv_modify_cq has it. */
    VerbsStatus moderateCq(int cq, int count, int periodMicros);

    /** EBUSY while queue pairs use it. After it returns its ring is never touched again. */
    VerbsStatus destroyCq(int cq);

    Slotted createQp(QpInit init);

    Outcome modifyQp(int qpn, QpAttributes attributes);

    /** All attributes; {@link QpAttributes#none} if there is no such queue pair. */
    QpAttributes queryQp(int qpn);

    /** Knows an address from then on, under a number that means something only to that PD. */
    Handled createAh(int pd, AddressAttributes address);

    VerbsStatus destroyAh(int ah);

    /** Datagrams to that group are delivered to the queue pair too; attaching twice is once. */
    Outcome attachMulticast(int qpn, Gid group, int lid);

    /** EINVAL if the queue pair is not attached to the group. */
    VerbsStatus detachMulticast(int qpn, Gid group, int lid);

    /**
     * EBUSY while it is attached to a multicast group. Peers see silence from then on. After it
     * returns its rings are never touched again.
     */
    VerbsStatus destroyQp(int qpn);

    Numbered createSrq(SrqInit init);

    /** Arms the limit, 0 to {@code entries}; the event comes once. */
    VerbsStatus armSrq(int srqn, int limit);

    /**
     * Moves the queue into other ring memory, {@code SrqGeometry.totalBytes()} long, in which its
     * posted entries and its producer index are already. EINVAL, and nothing changed, if they do
     * not fit.
     */
    VerbsStatus resizeSrq(int srqn, long ringMachineAddress, int receiveWr);

    SrqState querySrq(int srqn);

    /** EBUSY while queue pairs use it. After it returns its ring is never touched again. */
    VerbsStatus destroySrq(int srqn);

    /**
     * Whether the HCA has failed as a whole: contexts have got DEVICE_FATAL, queue pairs are in
     * ERR, and nothing but destroying is of use any more.
     */
    default boolean hasFailed() {
        return false;
    }
}
