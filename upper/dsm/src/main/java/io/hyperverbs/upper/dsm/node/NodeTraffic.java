package io.hyperverbs.upper.dsm.node;

import io.hyperverbs.upper.dsm.network.NodeNetwork;
import io.hyperverbs.upper.dsm.protocol.ControlMessage;
import io.hyperverbs.upper.dsm.protocol.ControlOutbox;
import io.hyperverbs.upper.dsm.protocol.Minipages;
import io.hyperverbs.upper.dsm.protocol.NodeProtocol;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Between protocol and network: messages of a node to itself stay here, all are counted, and those that arrive can be
 * collected before they are handled. Under the node's lock.
 */
final class NodeTraffic implements ControlOutbox, NodeNetwork.Arrivals {
    private final NodeNetwork network;
    private final Minipages minipages;
    private final Queue<ControlMessage> own = new ArrayDeque<>();
    private final Queue<Runnable> collected = new ArrayDeque<>();
    private boolean collects;
    private @Nullable NodeProtocol protocol;

    private long readFaults;
    private long writeFaults;
    private long messages;
    private long copies;
    private long copiedBytes;
    private long fetches;
    private long fetchedBytes;

    NodeTraffic(NodeNetwork network, Minipages minipages) {
        this.network = network;
        this.minipages = minipages;
    }

    void deliverTo(NodeProtocol receiver) {
        protocol = receiver;
    }

    private NodeProtocol protocol() {
        return Objects.requireNonNull(protocol);
    }

    @Override
    public void send(int to, ControlMessage message) {
        if (to == network.node()) {
            own.add(message);
            return;
        }
        messages++;
        network.send(to, message);
    }

    @Override
    public void sendCopy(int to, int minipage, ControlMessage grant) {
        int bytes = minipages.length(minipage);
        copies++;
        copiedBytes += bytes;
        network.write(to, minipages.offset(minipage), bytes);
        send(to, grant);
    }

    @Override
    public void fetch(int from, int minipage) {
        int bytes = minipages.length(minipage);
        fetches++;
        fetchedBytes += bytes;
        network.read(from, minipages.offset(minipage), bytes, minipage);
    }

    @Override
    public void received(int from, ControlMessage message) {
        if (collects) {
            collected.add(() -> protocol().receive(from, message));
        } else {
            protocol().receive(from, message);
            deliverOwn();
        }
    }

    @Override
    public void fetched(int minipage) {
        if (collects) {
            collected.add(() -> protocol().fetched(minipage));
        } else {
            protocol().fetched(minipage);
        }
    }

    /** From now on what arrives is kept. */
    void collect() {
        collects = true;
    }

    void deliverCollected() {
        collects = false;
        for (Runnable one = collected.poll(); one != null; one = collected.poll()) {
            one.run();
            deliverOwn();
        }
    }

    /** Delivers what this node sent to itself, and what it sends to itself then. */
    void deliverOwn() {
        for (ControlMessage message = own.poll(); message != null; message = own.poll()) {
            protocol().receive(network.node(), message);
        }
    }

    void noteFault(boolean isWrite) {
        if (isWrite) {
            writeFaults++;
        } else {
            readFaults++;
        }
    }

    NodeCounts counts() {
        return new NodeCounts(readFaults, writeFaults, messages, copies, copiedBytes, fetches, fetchedBytes);
    }
}
