package io.hyperverbs.upper.dsm.node;

import io.hyperverbs.upper.dsm.error.DsmException;
import io.hyperverbs.upper.dsm.network.NodeNetwork;
import io.hyperverbs.upper.dsm.options.DsmOptions;
import io.hyperverbs.upper.dsm.protocol.ControlMessage;
import io.hyperverbs.upper.dsm.protocol.ControlType;
import io.hyperverbs.upper.dsm.protocol.CopyStates;
import io.hyperverbs.upper.dsm.protocol.DsmViolation;
import io.hyperverbs.upper.dsm.protocol.Minipages;
import io.hyperverbs.upper.dsm.protocol.NodeProtocol;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One node: the program's thread, which faults and waits, and the handler of messages beside it. What either does with
 * the protocol and the network, it does under one lock, so that messages are handled one after another.
 */
public final class DsmNode implements AutoCloseable {
    /** A node that waits looks whether all others are there. */
    private static final long LOOK_AGAIN_NANOS = 50_000_000;

    private static final long ALIGNMENT_BYTES = 64;
    private static final int END = -1;

    /** Makes one number of two, so that different calls differ. */
    private static final long MIX = 31;

    private final NodeNetwork network;
    private final DsmOptions options;
    private final NodeTraffic traffic;
    private final Minipages minipages;
    private final NodeProtocol protocol;
    private final CopyStates states;
    private final MessageHandler handler;
    private final Thread program = Thread.currentThread();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable DsmException failure;
    private long usedBytes;
    private long calls;

    /** The node of the calling thread, with a handler of its own. */
    public DsmNode(NodeNetwork network, DsmOptions options) {
        this.network = network;
        this.options = options;
        this.minipages = new Minipages(network.nodes());
        this.traffic = new NodeTraffic(network, minipages);
        this.protocol = new NodeProtocol(
                network.node(), minipages, options.readersFetch(), traffic, () -> LockSupport.unpark(program));
        this.states = protocol.states();
        this.traffic.deliverTo(protocol);
        this.handler = MessageHandler.start(this, network, options.handling());
    }

    public int node() {
        return network.node();
    }

    public int nodes() {
        return network.nodes();
    }

    public MemorySegment memory() {
        return network.memory();
    }

    public CopyStates states() {
        return states;
    }

    /** What went between this node and others until now. */
    public NodeCounts counts() {
        lock.lock();
        try {
            return traffic.counts();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds an array of zeros. Collective.
     *
     * @return its place and its first minipage
     */
    public ArrayPlace add(long lengthBytes, int minipageBytes) {
        long offset = usedBytes;
        if (lengthBytes < 1 || lengthBytes > network.memory().byteSize() - offset) {
            throw DsmException.of("no room for an array of " + lengthBytes + " bytes, " + offset + " of "
                    + network.memory().byteSize() + " are used");
        }
        // Whole cache lines, so that the parts of two nodes are in none together.
        usedBytes = Math.ceilDiv(offset + lengthBytes, ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
        int first = addMinipages(offset, lengthBytes, minipageBytes);
        meet(MIX * lengthBytes + minipageBytes);
        return new ArrayPlace(offset, first);
    }

    private int addMinipages(long offsetBytes, long lengthBytes, int minipageBytes) {
        lock.lock();
        try {
            return protocol.add(offsetBytes, lengthBytes, minipageBytes);
        } finally {
            lock.unlock();
        }
    }

    /** Requests a copy and waits until it is there; {@link #done} is due after the access. */
    public void fault(int minipage, boolean isWrite) {
        traffic.noteFault(isWrite);
        call(
                minipages.home(minipage),
                ControlMessage.of(isWrite ? ControlType.WRITE_REQUEST : ControlType.READ_REQUEST, minipage));
    }

    /** The access is made for which a copy was requested. */
    public void done(int minipage) {
        tell(minipages.home(minipage), ControlMessage.of(ControlType.ACCESS_DONE, minipage));
    }

    public void lock(int number) {
        call(homeOfLock(number), ControlMessage.of(ControlType.LOCK_REQUEST, number));
    }

    public void unlock(int number) {
        tell(homeOfLock(number), ControlMessage.of(ControlType.UNLOCK, number));
    }

    private int homeOfLock(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("lock " + number + ", must be at least 0");
        }
        return number % nodes();
    }

    /** Waits for all nodes. Collective. */
    public void barrier() {
        meet(0);
    }

    /** Waits for all nodes, which must have made the same call. */
    private void meet(long call) {
        calls++;
        ControlMessage released = call(0, new ControlMessage(ControlType.BARRIER_ARRIVED, 0, 0, MIX * calls + call));
        if (released.value() != 0) {
            throw DsmException.of("the nodes made different collective calls, here the " + calls + ". of this node");
        }
    }

    private void tell(int to, ControlMessage message) {
        alone(() -> {
            traffic.send(to, message);
            traffic.deliverOwn();
        });
        check();
    }

    private ControlMessage call(int to, ControlMessage message) {
        alone(() -> {
            protocol.request(to, message);
            traffic.deliverOwn();
        });
        return awaitAnswer();
    }

    private ControlMessage awaitAnswer() {
        WaitingPolicy waiting = WaitingPolicy.hybrid();
        @Nullable ControlMessage answer = protocol.answer();
        while (answer == null) {
            check();
            if (!options.selectivePolling()) {
                LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
            } else if (handle()) {
                waiting.reset();
            } else {
                waiting.idleOrNap();
            }
            answer = protocol.answer();
        }
        return answer;
    }

    private void check() {
        DsmException why = failure;
        if (why != null) {
            throw why;
        }
        String gone = network.gone();
        if (gone != null) {
            throw DsmException.gone(gone);
        }
    }

    /**
     * Handles what has arrived, unless another thread does.
     *
     * @return whether there was anything
     */
    boolean handle() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            return failure == null && network.poll(traffic);
        } catch (DsmException | DsmViolation e) {
            fail(e);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #handle}, but waits for its turn. */
    void handleAll() {
        alone(() -> network.poll(traffic));
    }

    /** As {@link #handleAll}, but takes all that has arrived before it handles any. */
    void handleAfterwards() {
        alone(() -> {
            traffic.collect();
            network.poll(traffic);
            traffic.deliverCollected();
        });
    }

    /** Does something with protocol and network as the only one, unless this node has failed; it fails if that does. */
    void alone(Runnable action) {
        lock.lock();
        try {
            if (failure == null) {
                action.run();
            }
        } catch (DsmException | DsmViolation e) {
            fail(e);
        } finally {
            lock.unlock();
        }
    }

    /** The program's thread sees it when it calls next, or while it waits. */
    private void fail(RuntimeException e) {
        failure = e instanceof DsmException known ? known : DsmException.of(String.valueOf(e.getMessage()));
        LockSupport.unpark(program);
    }

    /** Waits for an event; the handler of a node that has failed ends. */
    boolean sleep(Duration timeout) {
        try {
            network.awaitEvent(timeout);
        } catch (DsmException e) {
            fail(e);
        }
        return failure == null;
    }

    /** Waits for all nodes and leaves. Collective. */
    @Override
    public void close() {
        try {
            meet(END);
            network.expectEnd();
        } finally {
            handler.stop();
            network.close();
        }
    }
}
