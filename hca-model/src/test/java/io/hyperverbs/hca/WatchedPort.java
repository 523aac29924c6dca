package io.hyperverbs.hca;

import io.hyperverbs.hca.roce.PacketPort;
import io.hyperverbs.hca.wire.Icrc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Predicate;

/** A port whose packets a test sees on their way out, and may lose; of those that come it reports the looks, and each send. */
final class WatchedPort implements PacketPort {
    private final PacketPort real;
    private final int address;
    private final Predicate<WirePacket> passes;
    private final Runnable looked;
    private final Runnable sent;

    WatchedPort(PacketPort real, int address, Predicate<WirePacket> passes, Runnable looked, Runnable sent) {
        this.real = real;
        this.address = address;
        this.passes = passes;
        this.looked = looked;
        this.sent = sent;
    }

    @Override
    public boolean add(long offset, int lengthBytes, int segmentBytes, int destination, int trafficClass) {
        long begin = offset;
        long end = offset + lengthBytes;
        for (long at = offset; at < end; at += segmentBytes) {
            long bytes = Math.min(segmentBytes, end - at);
            byte[] copy = real.departing().asSlice(at, bytes - Icrc.SIZE_BYTES).toArray(ValueLayout.JAVA_BYTE);
            if (!passes.test(new WirePacket(address, destination, MemorySegment.ofArray(copy)))) {
                addRun(begin, at, segmentBytes, destination, trafficClass);
                begin = at + bytes;
            }
        }
        return addRun(begin, end, segmentBytes, destination, trafficClass);
    }

    private boolean addRun(long begin, long end, int segmentBytes, int destination, int trafficClass) {
        int bytes = (int) (end - begin);
        return bytes == 0 || real.add(begin, bytes, Math.min(segmentBytes, bytes), destination, trafficClass);
    }

    @Override
    public MemorySegment arrived() {
        return real.arrived();
    }

    @Override
    public int receive(long nowNanos) {
        return real.receive(nowNanos);
    }

    @Override
    public long offset(int i) {
        return real.offset(i);
    }

    @Override
    public int lengthBytes(int i) {
        return real.lengthBytes(i);
    }

    @Override
    public int segmentBytes(int i) {
        return real.segmentBytes(i);
    }

    @Override
    public int sourceAddress(int i) {
        looked.run();
        return real.sourceAddress(i);
    }

    @Override
    public int sourcePort(int i) {
        return real.sourcePort(i);
    }

    @Override
    public int destinationAddress(int i) {
        return real.destinationAddress(i);
    }

    @Override
    public int trafficClass(int i) {
        return real.trafficClass(i);
    }

    @Override
    public boolean join(int group) {
        return real.join(group);
    }

    @Override
    public void leave(int group) {
        real.leave(group);
    }

    @Override
    public MemorySegment departing() {
        return real.departing();
    }

    @Override
    public int mostSegments() {
        return real.mostSegments();
    }

    @Override
    public long send() {
        sent.run();
        return real.send();
    }
}
