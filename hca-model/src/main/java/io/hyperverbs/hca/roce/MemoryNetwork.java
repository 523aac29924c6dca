package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.wire.AethSyndrome;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A network between HCAs of one process: what is sent has arrived, unless it is lost, doubled or overtaken, drawn from
 * a seed. For one thread, the engine of all of them.
 */
public final class MemoryNetwork {
    /** Datagrams that a port keeps until they are received; more are lost. */
    private static final int SLOTS = 1024;

    private static final int SLOT_BYTES = 4096 + 128;
    private static final int ECN = 3;
    private static final int ECN_CAPABLE = 2;
    private static final int SEND_BYTES = 1 << 20;
    private static final int MOST_SEGMENTS = 15;
    private static final int MOST_BATCHES = 256;

    private final Map<Integer, Port> ports = new HashMap<>();
    private final RandomGenerator dice;
    private double loss;
    private double duplicates;
    private double overtakings;
    private double marks;
    private boolean sparesRefusals;

    public MemoryNetwork(RandomGenerator dice) {
        this.dice = dice;
    }

    /** From now on, of each datagram by itself; 0 to 1 each. */
    public void impair(double lost, double doubled, double overtaking) {
        loss = lost;
        duplicates = doubled;
        overtakings = overtaking;
    }

    /**
     * From now on no NAK is lost that ends a connection: its sender is in ERR then and does not repeat it, so its peer
     * would find no end but by its retry counter.
     */
    public void spareRefusals() {
        sparesRefusals = true;
    }

    /** From now on, of each datagram that is capable of it by itself: a queue on its way marks it; 0 to 1. */
    public void congest(double marked) {
        marks = marked;
    }

    /** A new port with that IPv4 address. */
    public PacketPort port(int address) {
        Port port = new Port(address);
        ports.put(address, port);
        return port;
    }

    /** Puts a datagram before a port, or those of a group, as if it had come from {@code source}, whoever that is. */
    public void inject(int source, int destination, int trafficClass, byte[] datagram) {
        for (Port to : ports.values()) {
            if (to.hears(destination)) {
                to.take(MemorySegment.ofArray(datagram), 0, datagram.length, source, destination, trafficClass);
            }
        }
    }

    private final class Port implements PacketPort {
        private final int address;
        private final MemorySegment in = Arena.ofAuto().allocate((long) SLOTS * SLOT_BYTES, 64);
        private final MemorySegment out = Arena.ofAuto().allocate(SEND_BYTES, 64);
        private final int[] lengths = new int[SLOTS];
        private final int[] sources = new int[SLOTS];
        private final int[] destinations = new int[SLOTS];
        private final int[] classes = new int[SLOTS];
        // Slots by age: those received last are free at the next receive.
        private final int[] order = new int[SLOTS];
        private int first;
        private int count;
        private int handedOut;
        private final long[] batches = new long[MOST_BATCHES];
        private final int[] batchBytes = new int[MOST_BATCHES];
        private final int[] batchSegments = new int[MOST_BATCHES];
        private final int[] batchDestinations = new int[MOST_BATCHES];
        private final int[] batchClasses = new int[MOST_BATCHES];
        private int batchCount;
        private final Set<Integer> groups = new HashSet<>();

        Port(int address) {
            this.address = address;
            for (int i = 0; i < SLOTS; i++) {
                order[i] = i;
            }
        }

        private boolean hears(int destination) {
            return address == destination || groups.contains(destination);
        }

        @Override
        public MemorySegment arrived() {
            return in;
        }

        @Override
        public int receive(long nowNanos) {
            first = (first + handedOut) % SLOTS;
            count -= handedOut;
            handedOut = count;
            return handedOut;
        }

        private int slot(int i) {
            return order[(first + i) % SLOTS];
        }

        @Override
        public long offset(int i) {
            return (long) slot(i) * SLOT_BYTES;
        }

        @Override
        public int lengthBytes(int i) {
            return lengths[slot(i)];
        }

        @Override
        public int segmentBytes(int i) {
            return lengths[slot(i)];
        }

        @Override
        public int sourceAddress(int i) {
            return sources[slot(i)];
        }

        @Override
        public int sourcePort(int i) {
            return UDP_PORT;
        }

        @Override
        public int destinationAddress(int i) {
            return destinations[slot(i)];
        }

        @Override
        public int trafficClass(int i) {
            return classes[slot(i)];
        }

        @Override
        public boolean join(int group) {
            var _ = groups.add(group);
            return true;
        }

        @Override
        public void leave(int group) {
            groups.remove(group);
        }

        @Override
        public MemorySegment departing() {
            return out;
        }

        @Override
        public int mostSegments() {
            return MOST_SEGMENTS;
        }

        @Override
        public boolean add(long offset, int lengthBytes, int segmentBytes, int destination, int trafficClass) {
            if (batchCount == MOST_BATCHES) {
                return false;
            }
            batches[batchCount] = offset;
            batchBytes[batchCount] = lengthBytes;
            batchSegments[batchCount] = segmentBytes;
            batchDestinations[batchCount] = destination;
            batchClasses[batchCount] = trafficClass;
            batchCount++;
            return true;
        }

        @Override
        public long send() {
            for (int i = 0; i < batchCount; i++) {
                for (Port to : ports.values()) {
                    if (to.hears(batchDestinations[i])) {
                        carry(to, i);
                    }
                }
            }
            batchCount = 0;
            return 0;
        }

        private void carry(Port to, int batch) {
            for (int at = 0; at < batchBytes[batch]; at += batchSegments[batch]) {
                int bytes = Math.min(batchSegments[batch], batchBytes[batch] - at);
                carry(to, batches[batch] + at, bytes, batchDestinations[batch], batchClasses[batch]);
            }
        }

        private void carry(Port to, long offset, int bytes, int destination, int trafficClass) {
            if (loss > 0 && dice.nextDouble() < loss && !(sparesRefusals && isRefusal(offset))) {
                return;
            }
            boolean isMarked = marks > 0 && (trafficClass & ECN) == ECN_CAPABLE && dice.nextDouble() < marks;
            to.take(out, offset, bytes, address, destination, isMarked ? trafficClass | ECN : trafficClass);
            if (duplicates > 0 && dice.nextDouble() < duplicates) {
                to.take(out, offset, bytes, address, destination, trafficClass);
            }
            if (overtakings > 0 && to.count - to.handedOut > 1 && dice.nextDouble() < overtakings) {
                to.swapLast();
            }
        }

        private boolean isRefusal(long packet) {
            int opcode = out.get(ValueLayout.JAVA_BYTE, packet) & 0xff;
            if (PacketTable.kind(opcode) != Kind.ACK) {
                return false;
            }
            long aeth = packet + PacketTable.headerOffset(opcode, Header.AETH);
            int syndrome = out.get(ValueLayout.JAVA_BYTE, aeth) & 0xff;
            return AethSyndrome.type(syndrome) == AethSyndrome.NAK
                    && AethSyndrome.value(syndrome) != AethSyndrome.PSN_SEQUENCE_ERROR;
        }

        private void take(MemorySegment from, long offset, int bytes, int source, int destination, int trafficClass) {
            if (count == SLOTS || bytes > SLOT_BYTES) {
                return;
            }
            int slot = slot(count);
            MemorySegment.copy(from, offset, in, (long) slot * SLOT_BYTES, bytes);
            lengths[slot] = bytes;
            sources[slot] = source;
            destinations[slot] = destination;
            classes[slot] = trafficClass;
            count++;
        }

        private void swapLast() {
            int last = (first + count - 1) % SLOTS;
            int before = (first + count - 2) % SLOTS;
            int slot = order[last];
            order[last] = order[before];
            order[before] = slot;
        }
    }
}
