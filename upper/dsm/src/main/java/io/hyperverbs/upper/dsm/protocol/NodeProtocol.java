package io.hyperverbs.upper.dsm.protocol;

import org.jspecify.annotations.Nullable;

/**
 * All rules of one node. The program's thread requests and then waits for {@link #answer}; messages of others are handled
 * beside it. Not for several threads at once, but for {@link #answer} and {@link #states}.
 */
public final class NodeProtocol {
    private final int node;
    private final int nodes;
    private final Minipages minipages;
    private final ControlOutbox outbox;
    private final CopyStates states = new CopyStates();
    private final PageDirectory directory;
    private final LockTable locks;
    private final BarrierCount barrier;
    private final Runnable wake;
    private volatile @Nullable ControlMessage answer;

    /**
     * @param readersFetch see {@link ControlType#READ_AT}
     * @param wake called when there is an answer
     */
    public NodeProtocol(int node, Minipages minipages, boolean readersFetch, ControlOutbox outbox, Runnable wake) {
        this.node = node;
        this.nodes = minipages.nodes();
        this.minipages = minipages;
        this.outbox = outbox;
        this.wake = wake;
        this.directory = new PageDirectory(node, readersFetch, outbox);
        this.locks = new LockTable(outbox);
        this.barrier = new BarrierCount(nodes, outbox);
    }

    /**
     * Adds an array; other nodes add it too, and use it after a barrier.
     *
     * @return the number of its first minipage
     */
    public int add(long offsetBytes, long arrayBytes, int minipageBytes) {
        int first = minipages.add(offsetBytes, arrayBytes, minipageBytes);
        states.resize(minipages.count());
        for (int minipage = first; minipage < minipages.count(); minipage++) {
            if (minipages.home(minipage) == node) {
                states.raise(minipage, CopyStates.WRITE);
            }
        }
        return first;
    }

    public CopyStates states() {
        return states;
    }

    /** What the program's last request was answered by; null before. */
    public @Nullable ControlMessage answer() {
        return answer;
    }

    /** Requests something that is answered. */
    public void request(int home, ControlMessage request) {
        answer = null;
        outbox.send(home, request);
    }

    /** The bytes that {@link ControlOutbox#fetch} was asked for are there. */
    public void fetched(int minipage) {
        states.raise(minipage, CopyStates.READ);
        answer(ControlMessage.of(ControlType.READ_GRANT, minipage));
    }

    /**
     * Handles a message.
     *
     * @throws DsmViolation if no node may send it
     */
    public void receive(int from, ControlMessage message) {
        int subject = message.subject();
        switch (message.type()) {
            case LOCK_REQUEST -> locks.request(subject, from);
            case UNLOCK -> locks.unlock(subject, from);
            case BARRIER_ARRIVED -> barrier.arrived(message.value());
            case LOCK_GRANT, BARRIER_RELEASED -> answer(message);
            default -> {
                checkMinipage(from, message);
                receiveOfMinipage(from, message);
            }
        }
    }

    private void receiveOfMinipage(int from, ControlMessage message) {
        int minipage = message.subject();
        switch (message.type()) {
            case READ_REQUEST -> directory.request(minipage, from, false);
            case WRITE_REQUEST -> directory.request(minipage, from, true);
            case INVALIDATED -> directory.invalidated(minipage, from);
            case ACCESS_DONE -> directory.done(minipage, from);
            case LEND_COPY -> {
                states.lower(minipage, CopyStates.READ);
                outbox.sendCopy(message.node(), minipage, ControlMessage.of(ControlType.READ_GRANT, minipage));
            }
            case GIVE_UP -> {
                states.lower(minipage, CopyStates.NONE);
                outbox.sendCopy(message.node(), minipage, ControlMessage.of(ControlType.WRITE_GRANT, minipage));
            }
            case INVALIDATE -> {
                states.lower(minipage, CopyStates.NONE);
                outbox.send(from, ControlMessage.of(ControlType.INVALIDATED, minipage));
            }
            case READ_GRANT -> grant(message, CopyStates.READ);
            case WRITE_GRANT -> grant(message, CopyStates.WRITE);
            case READ_AT -> outbox.fetch(message.node(), minipage);
            default -> throw new IllegalStateException("no message of a minipage: " + message);
        }
    }

    private void grant(ControlMessage grant, byte state) {
        states.raise(grant.subject(), state);
        answer(grant);
    }

    private void answer(ControlMessage message) {
        answer = message;
        wake.run();
    }

    private void checkMinipage(int from, ControlMessage message) {
        boolean known = message.subject() >= 0
                && message.subject() < minipages.count()
                && message.node() >= 0
                && message.node() < nodes;
        if (!known) {
            throw new DsmViolation("node " + from + " sent " + message + ", there are " + minipages.count()
                    + " minipages and " + nodes + " nodes");
        }
    }
}
