package io.hyperverbs.upper.dsm.link;

import io.hyperverbs.upper.dsm.error.DsmException;
import io.hyperverbs.upper.dsm.network.NodeNetwork;
import io.hyperverbs.upper.dsm.network.ThreadNetwork;
import io.hyperverbs.upper.dsm.options.DataTransfer;
import io.hyperverbs.upper.dsm.options.DsmOptions;
import io.hyperverbs.upper.dsm.protocol.ControlMessage;
import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.upper.job.link.JobConnector;
import io.hyperverbs.upper.job.link.PeerWatch;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A node's connections over verbs: one to each other node, all with one completion queue and its channel, and this
 * node's copy of the shared memory as one region that the others write to and read from.
 */
public final class VerbsNetwork implements NodeNetwork {
    private static final int COMPLETIONS_AT_A_TIME = 32;
    private static final long FLUSH_NANOS = 2_000_000_000L;

    private final JobPlace place;
    private final Domain domain;
    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final PeerWatch watch;
    private final RegisteredBuffer memory;
    private final NodeSizes sizes;
    private final DataTransfer transfer;
    private final @Nullable NodeLink[] links;
    private final Queue<NodeArrival> arrived = new ArrayDeque<>();
    private final WorkCompletion[] completions = new WorkCompletion[COMPLETIONS_AT_A_TIME];

    private VerbsNetwork(JobPlace place, Domain domain, DsmOptions options) throws VerbsException {
        this.place = place;
        this.domain = domain;
        this.transfer = options.transfer();
        this.sizes = NodeSizes.of(transfer);
        this.links = new NodeLink[place.ranks()];
        this.context = domain.devices().getFirst().open();
        this.pd = context.allocatePd();
        this.channel = context.createChannel();
        this.queue = context.createCq((sizes.receives() + sizes.sends()) * (place.ranks() - 1), channel);
        this.watch = new PeerWatch(context, place);
        this.memory = register(options.memoryBytes(), JobConnector.RIGHTS);
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
    }

    /**
     * Connects to all nodes of the job; waits until each is there. A node alone needs no HCA.
     *
     * @throws DsmException if one does not come, or there is no room for the connections
     */
    public static NodeNetwork connect(JobPlace place, Domain domain, DsmOptions options) {
        if (place.ranks() == 1) {
            return ThreadNetwork.connect(1, options.memoryBytes()).getFirst();
        }
        try {
            VerbsNetwork network = new VerbsNetwork(place, domain, options);
            new JobConnector(
                            network.context,
                            place,
                            NodeTerms.PROTOCOL,
                            network.watch,
                            (peer, init) -> new NodeLink(network, peer, init, network.sizes))
                    .connectAll();
            return network;
        } catch (VerbsException e) {
            throw DsmException.of(place.name(place.rank()) + " cannot connect: " + e.getMessage());
        }
    }

    RegisteredBuffer register(long bytes, Set<Access> access) throws VerbsException {
        return new RegisteredBuffer(domain.memory(), pd, bytes, access);
    }

    RcQueuePair createQp(QpLimits limits) throws VerbsException {
        return pd.createRc(limits, queue, queue);
    }

    NodeTerms terms() {
        return new NodeTerms(memory.address(), memory.rkey(), memory.bytes().byteSize(), sizes.frameBytes());
    }

    void add(int peer, NodeLink link) {
        links[peer] = link;
    }

    private NodeLink link(int peer) {
        NodeLink link = links[peer];
        if (link == null) {
            throw new IllegalStateException("no connection to " + name(peer));
        }
        return link;
    }

    /** The link with a free slot of its send queue. */
    private NodeLink linkWithSlot(int peer) {
        NodeLink link = link(peer);
        while (!link.hasSlot()) {
            if (!reap()) {
                Thread.onSpinWait();
            }
        }
        return link;
    }

    @Override
    public int node() {
        return place.rank();
    }

    @Override
    public int nodes() {
        return place.ranks();
    }

    @Override
    public String name(int node) {
        return place.name(node);
    }

    @Override
    public MemorySegment memory() {
        return memory.bytes();
    }

    @Override
    public void send(int to, ControlMessage message) {
        linkWithSlot(to).send(message);
    }

    @Override
    public void write(int to, long offsetBytes, int lengthBytes) {
        if (transfer == DataTransfer.RDMA_WRITE) {
            linkWithSlot(to).write(memory, offsetBytes, lengthBytes);
            return;
        }
        int done = 0;
        while (done < lengthBytes) {
            int some = Math.min(sizes.dataBytes(), lengthBytes - done);
            linkWithSlot(to).sendData(memory.bytes(), offsetBytes + done, some);
            done += some;
        }
    }

    @Override
    public void read(int from, long offsetBytes, int lengthBytes, int token) {
        linkWithSlot(from).read(memory, offsetBytes, lengthBytes, token);
    }

    @Override
    public boolean poll(Arrivals arrivals) {
        reap();
        boolean any = false;
        for (NodeArrival one = arrived.poll(); one != null; one = arrived.poll()) {
            any = true;
            if (one.message() == null) {
                arrivals.fetched(one.token());
            } else {
                arrivals.received(one.from(), one.message());
            }
        }
        return any;
    }

    /** Takes completions, and keeps what they say until {@link #poll}; whether there were any. */
    private boolean reap() {
        int found = queue.poll(completions);
        for (int i = 0; i < found; i++) {
            WorkCompletion completion = completions[i];
            NodeLink link = link((int) (completion.wrId() >>> NodeLink.NODE_SHIFT));
            if (completion.status() != VerbsStatus.SUCCESS) {
                link.noteEnd(completion.wrId());
                if (!watch.isEndExpected()) {
                    throw ended(completion);
                }
            } else if ((completion.wrId() & NodeLink.RECEIVE) != 0) {
                link.take(completion.wrId(), memory.bytes(), arrived);
            } else {
                link.ended(completion.wrId(), arrived);
            }
        }
        return found > 0;
    }

    private DsmException ended(WorkCompletion completion) {
        String gone = watch.gone();
        return DsmException.gone(
                gone == null
                        ? "the connection to " + name((int) (completion.wrId() >>> NodeLink.NODE_SHIFT))
                                + " has ended: " + completion.explain()
                        : gone);
    }

    @Override
    public void arm() {
        VerbsStatus status = queue.arm(false);
        if (status != VerbsStatus.SUCCESS) {
            throw DsmException.of("cannot ask for events: " + status);
        }
    }

    @Override
    public void awaitEvent(Duration timeout) {
        try {
            channel.await(timeout).ifPresent(one -> channel.acknowledge(one, 1));
        } catch (VerbsException e) {
            throw DsmException.gone("the device domain does not answer: " + e.getMessage());
        }
    }

    /** Sleeps are short enough. */
    @Override
    public void interrupt() {}

    @Override
    public @Nullable String gone() {
        return watch.gone();
    }

    @Override
    public void expectEnd() {
        watch.expectEnd();
    }

    @Override
    public void close() {
        watch.expectEnd();
        try {
            flush();
            for (NodeLink link : links) {
                if (link != null) {
                    link.close();
                }
            }
            memory.close();
            watch.close();
            queue.close();
            channel.close();
            pd.close();
            context.close();
        } catch (VerbsException e) {
            throw DsmException.of("cannot close: " + e.getMessage());
        }
    }

    /** Waits until what was sent last has arrived at those that are still there. */
    private void flush() {
        WaitingPolicy waiting = WaitingPolicy.hybrid();
        long endNanos = System.nanoTime() + FLUSH_NANOS;
        for (int peer = 0; peer < links.length; peer++) {
            if (peer == node()) {
                continue;
            }
            NodeLink link = linkWithSlot(peer);
            link.flush();
            while (!link.isQuiet() && System.nanoTime() - endNanos < 0) {
                if (reap()) {
                    waiting.reset();
                } else {
                    waiting.idleOrNap();
                }
            }
        }
    }
}
