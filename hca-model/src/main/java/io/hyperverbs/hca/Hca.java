package io.hyperverbs.hca;

import io.hyperverbs.hca.capture.PacketTap;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.engine.CommandQueue;
import io.hyperverbs.hca.engine.Engine;
import io.hyperverbs.hca.engine.HcaDevice;
import io.hyperverbs.hca.engine.HcaSizes;
import io.hyperverbs.hca.event.EventQueue;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.hca.layout.StatusPageLayout;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.hca.link.Links;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.hca.roce.ManagementQueue;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.hca.tpt.RegionPlan;
import io.hyperverbs.hca.transport.LockoutPolicy;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A host channel adapter: tables, engine, commands. Commands may come from any thread; {@link
 * #engine} is for one thread, normally an {@link EngineRunner}; {@link #poll} is for one reader.
 * Without a runner a command is executed at once on the caller's thread, which must be the one that
 * calls the engine.
 */
public final class Hca implements HcaCommands {
    private final MemorySegment memory;
    private final HcaLimits limits;
    private final DoorbellSleep sleep;
    private final long statusPage;
    private final HcaDevice device;
    private final Engine engine;
    private final CommandQueue commandQueue;
    private final QueueCommands queues;
    private final RegionCommands regions;
    private final DatagramCommands datagrams;
    private final SrqCommands srqs;
    private final WindowCommands windows;
    private final PortCommands ports;

    /** Makes an HCA with the standard ports at the LID and MTU of {@code limits}. */
    public Hca(
            MemorySegment machineMemory,
            InterruptLine line,
            DoorbellSleep sleep,
            HcaLimits limits,
            long contextMemoryAddress,
            long statusPageAddress,
            RandomGenerator keys) {
        this(
                machineMemory,
                line,
                sleep,
                limits,
                PortSettings.standard(limits.lid(), limits.mtuBytes()),
                Network.none(),
                contextMemoryAddress,
                statusPageAddress,
                keys);
    }

    /**
     * Makes an HCA over zeroed context memory.
     *
     * @param machineMemory all that the HCA reaches; machine addresses are byte offsets into it. Never faults, whatever
     *     domains come and go
     * @param network the wire, if there is one
     * @param contextMemoryAddress machine address of {@link #contextMemoryBytes} bytes, 4096-byte
     *     aligned
     * @param statusPageAddress machine address of the status page
     * @param keys source of keys and queue pair numbers; a {@code SecureRandom} outside of tests
     */
    public Hca(
            MemorySegment machineMemory,
            InterruptLine line,
            DoorbellSleep sleep,
            HcaLimits limits,
            PortSettings ports,
            Network network,
            long contextMemoryAddress,
            long statusPageAddress,
            RandomGenerator keys) {
        this.memory = machineMemory;
        this.limits = limits;
        this.sleep = sleep;
        this.statusPage = statusPageAddress;
        ContextMemoryLayout.format(memory, contextMemoryAddress, limits.tableCounts());
        ContextMemoryLayout.writePort(memory, contextMemoryAddress, ports.firstLid(), ports.mtuBytes());
        ContextMemoryLayout.writeHca(memory, contextMemoryAddress, ports.pkeys(), limits.maxCqe());
        StatusPageLayout.format(memory, statusPageAddress);
        HcaSizes sizes = new HcaSizes(
                limits.maxQp(),
                limits.maxCq(),
                limits.maxRegions(),
                limits.maxPd(),
                limits.maxUar(),
                limits.maxAh(),
                limits.maxMulticast(),
                HcaLimits.MAX_MESSAGE_BYTES,
                HcaLimits.MAX_READ_ATOMIC);
        ContextMemory contexts = new ContextMemory(memory, contextMemoryAddress);
        this.device = new HcaDevice(sizes, ports, network, contexts, keys, line::raise, line::wake);
        this.engine = new Engine(device, sleep::wake);
        this.commandQueue = engine.commands();
        this.queues = new QueueCommands(device, limits.maxCqe());
        this.regions = new RegionCommands(device);
        this.datagrams = new DatagramCommands(device);
        this.srqs = new SrqCommands(device);
        this.windows = new WindowCommands(device);
        this.ports = new PortCommands(device);
    }

    /** Bytes of context memory that an HCA of these limits needs. */
    public static long contextMemoryBytes(HcaLimits limits) {
        return ContextMemoryLayout.totalBytes(limits.tableCounts());
    }

    /** Sets the pauses of queue pairs that guess other domains' keys; there are none until it is set. */
    public void keyLockout(LockoutPolicy policy) {
        int _ = commandQueue.call(
                () -> {
                    device.lockout().policy(policy);
                    return 0;
                },
                0);
    }

    public HcaLimits limits() {
        return limits;
    }

    /** The duty cycle, for the one thread that runs it. */
    public Engine engine() {
        return engine;
    }

    /**
     * Takes the next event. One reader at a time; never blocks, allocates nothing.
     *
     * @return false if there is none
     */
    public boolean poll(HcaEvent event) {
        EventQueue events = device.events();
        if (!events.next()) {
            return false;
        }
        int kind = events.kind();
        event.set(
                kind == EventQueue.COMPLETION ? HcaEvent.Kind.COMPLETION : HcaEvent.Kind.ASYNC,
                events.source().uar(),
                events.source().number(),
                kind == EventQueue.COMPLETION ? 0 : kind - 1);
        return true;
    }

    /** Management datagrams that came for QP1, for one reader. */
    public ManagementQueue management() {
        return device.wire().management();
    }

    /** Sends a management datagram from QP1; it may be lost. EINVAL: no such port, or it is on no wire. */
    public VerbsStatus send(ManagementDatagram datagram) {
        if (device.ports().wire().of(datagram.port) == 0) {
            return VerbsStatus.EINVAL;
        }
        return commandQueue.call(
                () -> {
                    device.wire().send(datagram);
                    return VerbsStatus.SUCCESS;
                },
                VerbsStatus.ETIMEDOUT);
    }

    /**
     * Sets what happens to packets that come to a port over a link from now on. Any thread.
     *
     * @param address IPv4 address of the other port; {@link Links#WHOLE_PORT} for the queue of all that comes
     * @return EINVAL: no such port, it is on no wire, or a port as a whole cannot have that; ENOMEM: too many links
     */
    public VerbsStatus impair(int port, int address, LinkSettings settings) {
        if (device.ports().wire().of(port) == 0) {
            return VerbsStatus.EINVAL;
        }
        device.wire().links().prepare(port);
        return commandQueue.call(() -> engine.impair(port, address, settings), VerbsStatus.ETIMEDOUT);
    }

    /** Shows {@code tap} what passes the ports; null ends it. Once this returns no former tap is called. Any thread. */
    public VerbsStatus capture(@Nullable PacketTap tap) {
        return commandQueue.call(
                () -> {
                    device.capture().attach(tap);
                    return VerbsStatus.SUCCESS;
                },
                VerbsStatus.ETIMEDOUT);
    }

    @Override
    public boolean hasFailed() {
        return engine.hasFailed();
    }

    DoorbellSleep sleep() {
        return sleep;
    }

    MemorySegment memory() {
        return memory;
    }

    long statusPage() {
        return statusPage;
    }

    @Override
    public Numbered openUar(int domain, long uarMachineAddress, ShareInit share, PkeyTable pkeys) {
        return commandQueue.call(
                () -> regions.openUar(domain, uarMachineAddress, share, pkeys), new Numbered(VerbsStatus.ETIMEDOUT, 0));
    }

    @Override
    public void endDomain(int domain) {
        VerbsStatus _ = commandQueue.call(() -> regions.endDomain(domain), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public VerbsStatus closeUar(int uar) {
        return commandQueue.call(() -> regions.closeUar(uar), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public PortReport queryPort(int port) {
        return commandQueue.call(() -> ports.query(port), new PortReport(VerbsStatus.ETIMEDOUT, PortState.DOWN, 0, 0));
    }

    @Override
    public VerbsStatus setPort(int port, boolean up) {
        return commandQueue.call(() -> ports.set(port, up), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public Numbered allocatePd(int domain) {
        return commandQueue.call(() -> regions.allocatePd(domain), new Numbered(VerbsStatus.ETIMEDOUT, 0));
    }

    @Override
    public VerbsStatus deallocatePd(int pd) {
        return commandQueue.call(() -> regions.deallocatePd(pd), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public Numbered openXrcd(int domain) {
        return commandQueue.call(() -> regions.openXrcd(domain), new Numbered(VerbsStatus.ETIMEDOUT, 0));
    }

    @Override
    public VerbsStatus closeXrcd(int xrcd) {
        return commandQueue.call(() -> regions.closeXrcd(xrcd), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public Keyed createRegion(RegionInit init) {
        RegionPlan plan = regions.plan(init);
        return commandQueue.call(() -> regions.createRegion(plan), new Keyed(VerbsStatus.ETIMEDOUT, 0, 0, 0));
    }

    @Override
    public Keyed reregisterRegion(int region, RegionInit init) {
        RegionPlan plan = regions.plan(init);
        return commandQueue.call(
                () -> regions.reregisterRegion(region, plan), new Keyed(VerbsStatus.ETIMEDOUT, 0, 0, 0));
    }

    @Override
    public VerbsStatus destroyRegion(int region) {
        return commandQueue.call(() -> regions.destroyRegion(region), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public Windowed allocateWindow(int pd, MemoryWindow.Type type) {
        return commandQueue.call(() -> windows.allocate(pd, type), new Windowed(VerbsStatus.ETIMEDOUT, 0, 0));
    }

    @Override
    public VerbsStatus deallocateWindow(int window) {
        return commandQueue.call(() -> windows.deallocate(window), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public Slotted createCq(int uar, long ringMachineAddress, int entries) {
        // Entries of an earlier life could pass for valid ones. Up to megabytes: not on the engine.
        if (queues.isCqSize(entries) && queues.isRing(ringMachineAddress, CqHeaderLayout.totalBytes(entries))) {
            memory.asSlice(ringMachineAddress, CqHeaderLayout.totalBytes(entries))
                    .fill((byte) 0);
        }
        return commandQueue.call(
                () -> queues.createCq(uar, ringMachineAddress, entries), new Slotted(VerbsStatus.ETIMEDOUT, 0, 0));
    }

    @Override
    public VerbsStatus resizeCq(int cq, long ringMachineAddress, int entries) {
        if (queues.isCqSize(entries) && queues.isRing(ringMachineAddress, CqHeaderLayout.totalBytes(entries))) {
            // The head is what the guest wrote there already.
            long first = ringMachineAddress + CqHeaderLayout.SIZE_BYTES;
            memory.asSlice(first, entries * CqeLayout.SIZE_BYTES).fill((byte) 0);
        }
        return commandQueue.call(() -> queues.resizeCq(cq, ringMachineAddress, entries), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public VerbsStatus moderateCq(int cq, int count, int periodMicros) {
        return commandQueue.call(() -> queues.moderateCq(cq, count, periodMicros), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public VerbsStatus destroyCq(int cq) {
        return commandQueue.call(() -> queues.destroyCq(cq), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public Slotted createQp(QpInit init) {
        return commandQueue.call(() -> queues.createQp(init), new Slotted(VerbsStatus.ETIMEDOUT, 0, 0));
    }

    @Override
    public Outcome modifyQp(int qpn, QpAttributes attributes) {
        return commandQueue.call(
                () -> queues.modifyQp(qpn, attributes), new Outcome(VerbsStatus.ETIMEDOUT, "the HCA did not answer"));
    }

    @Override
    public QpAttributes queryQp(int qpn) {
        return commandQueue.call(() -> queues.queryQp(qpn), QpAttributes.none());
    }

    @Override
    public VerbsStatus destroyQp(int qpn) {
        return commandQueue.call(() -> queues.destroyQp(qpn), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public Handled createAh(int pd, AddressAttributes address) {
        return commandQueue.call(
                () -> datagrams.createAh(pd, address), new Handled(VerbsStatus.ETIMEDOUT, 0, "the HCA did not answer"));
    }

    @Override
    public VerbsStatus destroyAh(int ah) {
        return commandQueue.call(() -> datagrams.destroyAh(ah), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public Outcome attachMulticast(int qpn, Gid group, int lid) {
        return commandQueue.call(
                () -> datagrams.attach(qpn, group, lid), new Outcome(VerbsStatus.ETIMEDOUT, "the HCA did not answer"));
    }

    @Override
    public VerbsStatus detachMulticast(int qpn, Gid group, int lid) {
        return commandQueue.call(() -> datagrams.detach(qpn, group, lid), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public Numbered createSrq(SrqInit init) {
        return commandQueue.call(() -> srqs.create(init), new Numbered(VerbsStatus.ETIMEDOUT, 0));
    }

    @Override
    public VerbsStatus armSrq(int srqn, int limit) {
        return commandQueue.call(() -> srqs.arm(srqn, limit), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public VerbsStatus resizeSrq(int srqn, long ringMachineAddress, int receiveWr) {
        return commandQueue.call(() -> srqs.resize(srqn, ringMachineAddress, receiveWr), VerbsStatus.ETIMEDOUT);
    }

    @Override
    public SrqState querySrq(int srqn) {
        return commandQueue.call(() -> srqs.query(srqn), new SrqState(VerbsStatus.ETIMEDOUT, 0, 0, 0));
    }

    @Override
    public VerbsStatus destroySrq(int srqn) {
        return commandQueue.call(() -> srqs.destroy(srqn), VerbsStatus.ETIMEDOUT);
    }
}
