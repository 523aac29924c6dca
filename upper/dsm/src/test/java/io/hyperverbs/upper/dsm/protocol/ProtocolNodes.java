package io.hyperverbs.upper.dsm.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Several nodes' protocols and a network that delivers in any order it likes, but in order from one node to another. Each
 * minipage holds one number; a node's accesses are atomic, and made when it has the right.
 */
final class ProtocolNodes {
    /** Changes a message on its way; null loses it. A planted fault. */
    @FunctionalInterface
    interface Fault {
        @Nullable
        ControlMessage change(ControlMessage message);
    }

    final List<Node> nodes = new ArrayList<>();
    private final SplittableRandom random;
    private final Fault fault;
    private final Queue<Runnable>[][] underWay;
    private final int minipages;

    /** What one node has, and what its program waits for. */
    final class Node implements ControlOutbox {
        final int number;
        final NodeProtocol protocol;
        final long[] memory = new long[minipages];
        boolean waits;
        int wanted;
        boolean isWrite;

        Node(int number, int count, boolean readersFetch) {
            this.number = number;
            Minipages table = new Minipages(count);
            this.protocol = new NodeProtocol(number, table, readersFetch, this, () -> {});
            protocol.add(0, minipages * 8L, 8);
        }

        @Override
        public void send(int to, ControlMessage message) {
            ControlMessage changed = fault.change(message);
            if (changed != null) {
                underWay[number][to].add(() -> nodes.get(to).protocol.receive(number, changed));
            }
        }

        @Override
        public void sendCopy(int to, int minipage, ControlMessage grant) {
            long value = memory[minipage];
            underWay[number][to].add(() -> nodes.get(to).memory[minipage] = value);
            send(to, grant);
        }

        @Override
        public void fetch(int from, int minipage) {
            underWay[number][number].add(() -> {
                memory[minipage] = nodes.get(from).memory[minipage];
                protocol.fetched(minipage);
            });
        }

        boolean mayAccess(int minipage, boolean write) {
            byte state = protocol.states().state(minipage);
            return state == CopyStates.WRITE || state == CopyStates.READ && !write;
        }

        void request(int minipage, boolean write) {
            waits = true;
            wanted = minipage;
            isWrite = write;
            ControlType type = write ? ControlType.WRITE_REQUEST : ControlType.READ_REQUEST;
            protocol.request(home(minipage), ControlMessage.of(type, minipage));
        }

        boolean isAnswered() {
            return waits && protocol.answer() != null;
        }

        void done() {
            waits = false;
            send(home(wanted), ControlMessage.of(ControlType.ACCESS_DONE, wanted));
        }

        private int home(int minipage) {
            return (int) ((long) minipage * nodes.size() / minipages);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    ProtocolNodes(int count, int minipages, boolean readersFetch, Fault fault, long seed) {
        this.minipages = minipages;
        this.random = new SplittableRandom(seed);
        this.fault = fault;
        this.underWay = new Queue[count][count];
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                underWay[from][to] = new ArrayDeque<>();
            }
        }
        for (int number = 0; number < count; number++) {
            nodes.add(new Node(number, count, readersFetch));
        }
    }

    /** Delivers one message of those that may be next; false if none is under way. */
    boolean deliverOne() {
        List<Queue<Runnable>> next = new ArrayList<>();
        for (Queue<Runnable>[] row : underWay) {
            for (Queue<Runnable> one : row) {
                if (!one.isEmpty()) {
                    next.add(one);
                }
            }
        }
        if (next.isEmpty()) {
            return false;
        }
        Objects.requireNonNull(next.get(random.nextInt(next.size())).poll()).run();
        return true;
    }

    /** How many nodes may write a minipage, and how many read it and no more. */
    int[] writersAndReaders(int minipage) {
        int[] count = new int[2];
        for (Node node : nodes) {
            byte state = node.protocol.states().state(minipage);
            count[0] += state == CopyStates.WRITE ? 1 : 0;
            count[1] += state == CopyStates.READ ? 1 : 0;
        }
        return count;
    }
}
