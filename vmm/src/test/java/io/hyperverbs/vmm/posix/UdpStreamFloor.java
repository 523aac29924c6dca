package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.hyperverbs.verbs.wait.WaitingPolicy;

/**
 * Bytes as fast as two UDP ports pass them, with a window, so that none are lost for want of buffer:
 * the receiver says now and then how many bytes it has. Nobody reads or writes the payload. One
 * thread for each end.
 */
final class UdpStreamFloor {
    private static final int ACK_BYTES = 8;
    private static final long LOSS_NANOS = 50_000_000;

    private final UdpPort port;
    private final WaitingPolicy policy = WaitingPolicy.yielding();

    UdpStreamFloor(UdpPort port) {
        this.port = port;
    }

    /**
     * @param batches messages of a flush
     * @param windowBytes sent and not acknowledged, at most
     */
    record Shape(int lengthBytes, int segmentBytes, int batches, long windowBytes) {}

    /**
     * Sends for some time, then datagrams of length zero.
     *
     * @return bytes that were lost
     */
    long send(int address, int toPort, Shape shape, long durationNanos) {
        long sent = 0;
        long acknowledged = 0;
        long lost = 0;
        long start = System.nanoTime();
        long lastAck = start;
        for (long now = start; now - start < durationNanos; now = System.nanoTime()) {
            if (sent - lost - acknowledged <= shape.windowBytes) {
                sent += sendBatches(address, toPort, shape);
            }
            if (port.receive() > 0) {
                acknowledged = Math.max(acknowledged, acknowledgement());
                lastAck = now;
                policy.reset();
            } else if (sent - lost - acknowledged > shape.windowBytes) {
                policy.idle();
                if (now - lastAck > LOSS_NANOS) {
                    lost = sent - acknowledged;
                    lastAck = now;
                }
            }
        }
        for (int i = 0; i < 3; i++) {
            port.add(0, 0, 0, address, toPort, 0);
        }
        port.flush();
        return lost;
    }

    private long sendBatches(int address, int toPort, Shape shape) {
        long bytes = 0;
        for (int i = 0; i < shape.batches; i++) {
            if (port.add((long) i * shape.lengthBytes, shape.lengthBytes, shape.segmentBytes, address, toPort, 0)) {
                bytes += shape.lengthBytes;
            }
        }
        while (port.pending() > 0) {
            port.flush();
        }
        return bytes;
    }

    private long acknowledgement() {
        return port.receiveMemory().get(JAVA_LONG_UNALIGNED, port.offset(0));
    }

    /** What a receiver got. */
    record Received(long bytes, long messages, long nanos) {
        double gibPerSecond() {
            return (double) bytes / (1L << 30) * 1e9 / nanos;
        }
    }

    /**
     * Receives until a datagram of length zero has come.
     *
     * @param receiver takes from {@code socket} what comes to it
     * @param ackEveryBytes a fraction of the sender's window
     */
    Received receive(DatagramReceiver receiver, Fd socket, long ackEveryBytes) {
        long bytes = 0;
        long messages = 0;
        long acknowledged = 0;
        long start = 0;
        while (true) {
            int count = receiver.receive(socket);
            if (count == 0) {
                policy.idle();
                continue;
            }
            policy.reset();
            if (messages == 0) {
                start = System.nanoTime();
            }
            for (int i = 0; i < count; i++) {
                if (receiver.lengthBytes(i) == 0) {
                    return new Received(bytes, messages, System.nanoTime() - start);
                }
                bytes += receiver.lengthBytes(i);
            }
            messages += count;
            if (bytes - acknowledged >= ackEveryBytes) {
                acknowledged = bytes;
                port.sendMemory().set(JAVA_LONG_UNALIGNED, 0, bytes);
                port.add(0, ACK_BYTES, ACK_BYTES, receiver.sourceAddress(0), receiver.sourcePort(0), 0);
                port.flush();
            }
        }
    }
}
