package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.Encapsulation;
import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.frame.IpAddress;
import io.hyperverbs.upper.ipoib.frame.MulticastGid;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.CompletionWaiter;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.ip.IpInterface;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A node of an IP over InfiniBand link: one queue pair of unreliable datagrams, whose multicast group for broadcasts
 * makes the link (RFC 4391), and, for an interface whose packets are longer than datagrams, connections (RFC 4755). One
 * thread sends what the interface's sockets send, another gives them what comes, a third makes connections; they meet
 * under one lock.
 */
public final class IpoibLink {
    /** The link's Q_Key, by which datagrams of other programs do not get in by accident. */
    private static final int QKEY = 0x0b1b;

    private static final int SENDS = 256;
    private static final int RECEIVES = 1024;

    /** Of the longest frames, 64 KiB each. */
    private static final int CONNECTED_SENDS = 64;

    private static final int CONNECTED_RECEIVES = 64;

    /** How often the lists of addresses and groups are read, where no packet says that they have changed. */
    private static final long LOOK_NANOS = 1_000_000_000L;

    private static final Duration LONG = Duration.ofHours(1);

    private static final LongSupplier CLOCK = System::nanoTime;

    private final IpInterface device;
    private final Lock lock = new ReentrantLock();
    private final int pkey;
    private final LinkSender sender;
    private final LinkGroups groups;
    private final AddressResolution resolution;
    private final Outgoing outgoing;
    private final Incoming incoming;
    private final @Nullable LinkConnections connections;
    private long lookNanos = CLOCK.getAsLong();

    /**
     * Brings the link up.
     *
     * @throws VerbsException EINVAL if the port has no such P_Key; else as the verbs
     */
    public IpoibLink(Domain domain, IpInterface device) throws VerbsException {
        this.device = device;
        Context context = domain.devices().getFirst().open();
        PortAttributes port = context.queryPort(1);
        int datagramBytes = Math.min(port.activeMtuBytes(), Encapsulation.SIZE_BYTES + device.mtuBytes());
        int frameBytes = Encapsulation.SIZE_BYTES + device.mtuBytes();
        boolean isConnected = frameBytes > datagramBytes;
        this.pkey = device.pkey();
        SubnetAdministration subnet = SubnetAdministration.of(context);
        ProtectionDomain pd = context.allocatePd();
        CompletionQueue sendQueue = context.createCq(SENDS, null);
        CompletionChannel channel = context.createChannel();
        CompletionQueue receiveQueue = context.createCq(RECEIVES + CONNECTED_RECEIVES, channel);
        UdQueuePair qp = pd.createUd(QpLimits.of(SENDS, RECEIVES), sendQueue, receiveQueue);
        FrameSlots sends = new FrameSlots(domain.memory(), pd, isConnected ? CONNECTED_SENDS : SENDS, frameBytes);
        FrameSlots receives = new FrameSlots(domain.memory(), pd, RECEIVES, Grh.SIZE_BYTES + datagramBytes);
        LinkCounters counters = new LinkCounters();
        int partition = partition(context, port.pkeyTableLength(), pkey);
        qp.modify(QpAttributes.toUdInit(QKEY).with(QpAttribute.PKEY_INDEX, partition));
        qp.modify(QpAttributes.to(QpState.RTR));
        qp.modify(QpAttributes.toUnacknowledgedRts(ThreadLocalRandom.current().nextInt(1 << 24)));
        Incoming.postAll(qp, receives);
        this.sender = new LinkSender(qp, sendQueue, sends, QKEY, counters);
        this.groups = new LinkGroups(pd, subnet, qp, sender, QKEY, MulticastGid.broadcast(pkey));
        LinkPaths paths = new LinkPaths(pd, subnet, sender);
        DatagramSender datagrams = new DatagramSender(sender, paths);
        ConnectedReceives connected = isConnected ? connectedReceives(domain, pd, frameBytes) : null;
        if (connected == null) {
            this.connections = null;
        } else {
            this.connections = new LinkConnections(
                    context,
                    new LinkConnections.QueuePairs(pd, sendQueue, receiveQueue, connected, partition),
                    datagrams,
                    new TooLongPackets(device, sender, counters),
                    counters,
                    new ConnectionTerms(qp.qpn(), frameBytes),
                    datagramBytes,
                    CLOCK);
            sender.others(connections::completed);
        }
        this.resolution = new AddressResolution(
                sender,
                paths,
                connections == null ? datagrams : connections,
                groups,
                new HardwareAddress(isConnected ? HardwareAddress.RC : 0, qp.qpn(), subnet.gid()),
                IpAddress.ofIpv4(device.address()),
                pkey,
                counters,
                CLOCK);
        this.outgoing = new Outgoing(device, sender, groups, resolution, pkey, counters, datagramBytes, CLOCK);
        CompletionWaiter waiter = new CompletionWaiter(receiveQueue, channel);
        this.incoming =
                new Incoming(qp, port.lid(), waiter, receives, device, resolution, sender, lock, counters, connected);
        resolution.announce();
    }

    private static ConnectedReceives connectedReceives(Domain domain, ProtectionDomain pd, int frameBytes)
            throws VerbsException {
        FrameSlots slots = new FrameSlots(domain.memory(), pd, CONNECTED_RECEIVES, frameBytes);
        return new ConnectedReceives(pd.createSrq(new SrqLimits(CONNECTED_RECEIVES, 1)), slots);
    }

    /** Whether {@link #connect} is to run too. */
    public boolean isConnected() {
        return connections != null;
    }

    /** Makes connections, and ends them, until the link fails or the thread is interrupted, which is EINTR. */
    public void connect() throws VerbsException {
        LinkConnections made = Objects.requireNonNull(connections, "datagram mode");
        while (true) {
            CmEvent event = made.next(LONG);
            if (event != null) {
                handle(made, event);
            }
        }
    }

    private void handle(LinkConnections made, CmEvent event) throws VerbsException {
        lock.lock();
        try {
            made.handle(event);
            sender.flush();
        } finally {
            lock.unlock();
        }
    }

    /** Index of a P_Key in the port's table. */
    private static int partition(Context context, int length, int pkey) throws VerbsException {
        for (int i = 0; i < length; i++) {
            if (context.queryPkey(1, i) == pkey) {
                return i;
            }
        }
        throw new VerbsException(VerbsStatus.EINVAL, "the port has no P_Key 0x%04x".formatted(pkey));
    }

    /** Gives the interface what comes, until the link fails or the thread is interrupted, which is EINTR. */
    public void receive() throws IOException, VerbsException {
        incoming.run();
    }

    /** Sends what the interface's sockets send, and does what has its time, until the thread is interrupted. */
    public void send() throws IOException, VerbsException {
        while (!Thread.currentThread().isInterrupted()) {
            if (!step()) {
                device.await(Duration.ofNanos(untilNext()));
            }
        }
    }

    private boolean step() throws IOException, VerbsException {
        lock.lock();
        try {
            boolean more = outgoing.carry();
            resolution.advance();
            sender.flush();
            if (outgoing.sawMembershipReport() || CLOCK.getAsLong() - lookNanos >= 0) {
                look();
            }
            return more;
        } finally {
            lock.unlock();
        }
    }

    private long untilNext() {
        lock.lock();
        try {
            return Math.clamp(lookNanos - CLOCK.getAsLong(), 0, resolution.due());
        } finally {
            lock.unlock();
        }
    }

    /** The kernel gives addresses, and sockets join groups, and no packet need say so. */
    private void look() throws IOException, VerbsException {
        lookNanos = CLOCK.getAsLong() + LOOK_NANOS;
        Set<IpAddress> addresses = new HashSet<>();
        Set<Gid> wanted = new HashSet<>();
        for (byte[] address : device.ipv6Addresses()) {
            IpAddress own = read(address);
            addresses.add(own);
            wanted.add(MulticastGid.of(own.solicitedNode(), pkey));
        }
        for (byte[] group : device.groups()) {
            wanted.add(MulticastGid.of(read(group), pkey));
        }
        resolution.own(addresses);
        groups.update(wanted);
    }

    private static IpAddress read(byte[] bytes) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        return bytes.length == IpAddress.IPV4_BYTES ? IpAddress.readIpv4(memory, 0) : IpAddress.readIpv6(memory, 0);
    }
}
