package io.hyperverbs.tests.fuzz;

import io.hyperverbs.hca.roce.PacketPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** A port whose network is the fuzzer: it puts datagrams there, and sees what is sent. Memory is used again. One thread. */
final class FuzzPort implements PacketPort {
    /** The longest datagram that it takes. */
    static final int MOST_BYTES = 4096 + 256;

    private static final int OUT_BYTES = 256 << 10;
    private static final ThreadLocal<List<MemorySegment>> MEMORY =
            ThreadLocal.withInitial(() -> List.of(allocate(), allocate()));

    /** A datagram that was sent. */
    record Sent(int destination, byte[] bytes) {}

    final List<Sent> sent = new ArrayList<>();
    private final MemorySegment out;
    private final MemorySegment in;
    private int source;
    private int destination;
    private int trafficClass;
    private int lengthBytes;
    private int segmentBytes;
    private int waiting;

    /**
     * @param index 0 or 1: no two ports of one thread at a time with the same
     */
    FuzzPort(int index) {
        MemorySegment memory = MEMORY.get().get(index);
        out = memory.asSlice(0, OUT_BYTES);
        in = memory.asSlice(OUT_BYTES, MOST_BYTES);
    }

    private static MemorySegment allocate() {
        return Arena.ofAuto().allocate(OUT_BYTES + MOST_BYTES, 64);
    }

    /**
     * Puts a datagram before the port, so many times as one batch if there is room; the one before it must have been
     * received.
     *
     * @return how many times
     */
    int put(int from, int to, int tos, byte[] datagram, int copies) {
        if (waiting > 0) {
            throw new AssertionError("the engine has left a datagram");
        }
        int fits = copies * datagram.length <= MOST_BYTES ? copies : 1;
        for (int i = 0; i < fits; i++) {
            MemorySegment.copy(datagram, 0, in, ValueLayout.JAVA_BYTE, (long) i * datagram.length, datagram.length);
        }
        source = from;
        destination = to;
        trafficClass = tos;
        lengthBytes = fits * datagram.length;
        segmentBytes = datagram.length;
        waiting = 1;
        return fits;
    }

    @Override
    public MemorySegment arrived() {
        return in;
    }

    @Override
    public int receive(long nowNanos) {
        int received = waiting;
        waiting = 0;
        return received;
    }

    @Override
    public long offset(int i) {
        return 0;
    }

    @Override
    public int lengthBytes(int i) {
        return lengthBytes;
    }

    @Override
    public int segmentBytes(int i) {
        return segmentBytes;
    }

    @Override
    public int sourceAddress(int i) {
        return source;
    }

    @Override
    public int sourcePort(int i) {
        return UDP_PORT;
    }

    @Override
    public int destinationAddress(int i) {
        return destination;
    }

    @Override
    public int trafficClass(int i) {
        return trafficClass;
    }

    @Override
    public boolean join(int group) {
        return true;
    }

    @Override
    public void leave(int group) {}

    @Override
    public MemorySegment departing() {
        return out;
    }

    @Override
    public int mostSegments() {
        return 4;
    }

    @Override
    public boolean add(long offset, int bytes, int segmentBytes, int to, int tos) {
        for (int at = 0; at < bytes; at += segmentBytes) {
            int length = Math.min(segmentBytes, bytes - at);
            sent.add(new Sent(to, out.asSlice(offset + at, length).toArray(ValueLayout.JAVA_BYTE)));
        }
        return true;
    }

    @Override
    public long send() {
        return 0;
    }
}
