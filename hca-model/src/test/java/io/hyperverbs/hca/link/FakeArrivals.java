package io.hyperverbs.hca.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** A network that has what the test puts there: buffers of datagrams that begin with their numbers. */
final class FakeArrivals implements PacketArrivals {
    static final int ADDRESS = 0x0a00_0001;
    static final int SOURCE = 0x0a00_0002;
    private static final int BUFFER_BYTES = 1 << 16;
    static final int MOST = 256;

    record Buffer(int source, int firstNumber, int datagrams, int bytes, int lastBytes, int trafficClass) {}

    private final MemorySegment memory = Arena.ofAuto().allocate((long) MOST * BUFFER_BYTES, 64);
    private final List<Buffer> waiting = new ArrayList<>();
    private List<Buffer> received = List.of();
    private int number;

    /** One datagram, which gets the next number. */
    void send(int source, int bytes, int trafficClass) {
        sendTogether(source, 1, bytes, bytes, trafficClass);
    }

    /** Several as one buffer. */
    void sendTogether(int source, int datagrams, int bytes, int lastBytes, int trafficClass) {
        waiting.add(new Buffer(source, number, datagrams, bytes, lastBytes, trafficClass));
        number += datagrams;
    }

    @Override
    public MemorySegment arrived() {
        return memory;
    }

    @Override
    public int receive(long nowNanos) {
        received = List.copyOf(waiting.subList(0, Math.min(MOST, waiting.size())));
        waiting.subList(0, received.size()).clear();
        for (int i = 0; i < received.size(); i++) {
            Buffer buffer = received.get(i);
            memory.asSlice(offset(i), BUFFER_BYTES).fill((byte) 0);
            for (int j = 0; j < buffer.datagrams(); j++) {
                long at = offset(i) + (long) j * buffer.bytes();
                memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, buffer.firstNumber() + j);
            }
        }
        return received.size();
    }

    @Override
    public long offset(int i) {
        return (long) i * BUFFER_BYTES;
    }

    @Override
    public int lengthBytes(int i) {
        Buffer buffer = received.get(i);
        return (buffer.datagrams() - 1) * buffer.bytes() + buffer.lastBytes();
    }

    @Override
    public int segmentBytes(int i) {
        return received.get(i).bytes();
    }

    @Override
    public int sourceAddress(int i) {
        return received.get(i).source();
    }

    @Override
    public int sourcePort(int i) {
        return 4791;
    }

    @Override
    public int destinationAddress(int i) {
        return ADDRESS;
    }

    @Override
    public int trafficClass(int i) {
        return received.get(i).trafficClass();
    }
}
