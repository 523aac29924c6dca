package io.hyperverbs.upper.dsm.network;

import io.hyperverbs.upper.dsm.protocol.ControlMessage;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node among threads of one program: messages go through queues, data from memory to memory. */
public final class ThreadNetwork implements NodeNetwork {
    private final int node;
    private final List<ThreadNetwork> all;
    private final MemorySegment memory;
    private final Queue<Arrival> arrived = new ConcurrentLinkedQueue<>();
    private final Semaphore events = new Semaphore(0);
    private volatile @Nullable String gone;

    private record Arrival(int from, @Nullable ControlMessage message, int token) {}

    private ThreadNetwork(int node, List<ThreadNetwork> all, long memoryBytes) {
        this.node = node;
        this.all = all;
        this.memory = MemorySegment.ofArray(new long[Math.toIntExact(Math.ceilDiv(memoryBytes, Long.BYTES))])
                .asSlice(0, memoryBytes);
    }

    /** The nodes of one network. */
    public static List<ThreadNetwork> connect(int nodes, long memoryBytes) {
        List<ThreadNetwork> all = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            all.add(new ThreadNetwork(node, all, memoryBytes));
        }
        return List.copyOf(all);
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public int nodes() {
        return all.size();
    }

    @Override
    public String name(int ofNode) {
        return "node " + ofNode;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public void send(int to, ControlMessage message) {
        all.get(to).arrive(new Arrival(node, message, 0));
    }

    @Override
    public void write(int to, long offsetBytes, int lengthBytes) {
        MemorySegment.copy(memory, offsetBytes, all.get(to).memory, offsetBytes, lengthBytes);
    }

    @Override
    public void read(int from, long offsetBytes, int lengthBytes, int token) {
        MemorySegment.copy(all.get(from).memory, offsetBytes, memory, offsetBytes, lengthBytes);
        arrive(new Arrival(node, null, token));
    }

    private void arrive(Arrival arrival) {
        arrived.add(arrival);
        events.release();
    }

    @Override
    public boolean poll(Arrivals arrivals) {
        boolean any = false;
        for (Arrival one = arrived.poll(); one != null; one = arrived.poll()) {
            any = true;
            if (one.message == null) {
                arrivals.fetched(one.token);
            } else {
                arrivals.received(one.from, one.message);
            }
        }
        return any;
    }

    @Override
    public void arm() {
        events.drainPermits();
    }

    @Override
    public void awaitEvent(Duration timeout) {
        try {
            events.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void interrupt() {
        events.release();
    }

    @Override
    public @Nullable String gone() {
        return gone;
    }

    /** Another node's thread has failed; all others wait in vain. */
    public void fail(String why) {
        gone = why;
        events.release();
    }

    @Override
    public void expectEnd() {}

    @Override
    public void close() {}
}
