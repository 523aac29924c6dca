package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A port with what tests do with it; what it receives is copied into records. */
final class UdpTestPort implements AutoCloseable {
    static final UdpPort.Settings SMALL = new UdpPort.Settings(8, 128 * 1024, 64, 1 << 20, 1);
    static final int FIRST = 0x7f00_0002;
    static final int SECOND = 0x7f00_0003;

    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final UdpPort port;

    /** One message; {@code bytes} of all its datagrams. */
    record Received(byte[] bytes, int segmentBytes, int source, int sourcePort, int destination, int tos) {}

    UdpTestPort(UdpPort port) {
        this.port = port;
    }

    /** With small buffers, at any free port. */
    static UdpTestPort at(int address) throws PosixException {
        return new UdpTestPort(UdpPort.open(address, 0, SMALL));
    }

    UdpPort port() {
        return port;
    }

    void queue(byte[] bytes, int segmentBytes, UdpTestPort to, int tos) {
        queue(bytes, segmentBytes, to.port.address(), to.port.port(), tos);
    }

    /** From the begin of the send memory, so one message at a time. */
    void queue(byte[] bytes, int segmentBytes, int address, int toPort, int tos) {
        MemorySegment.copy(bytes, 0, port.sendMemory(), JAVA_BYTE, 0, bytes.length);
        assertThat(port.add(0, bytes.length, segmentBytes, address, toPort, tos))
                .isTrue();
    }

    void send(byte[] bytes, int segmentBytes, UdpTestPort to, int tos) {
        queue(bytes, segmentBytes, to, tos);
        assertThat(port.flush()).isOne();
    }

    void send(UdpTestPort to, int... bytes) {
        send(bytes(bytes), bytes.length, to, 0);
    }

    /** What one receive takes. */
    List<Received> receive() {
        int count = port.receive();
        List<Received> received = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] bytes = port.receiveMemory()
                    .asSlice(port.offset(i), port.lengthBytes(i))
                    .toArray(JAVA_BYTE);
            received.add(new Received(
                    bytes,
                    port.segmentBytes(i),
                    port.sourceAddress(i),
                    port.sourcePort(i),
                    port.destinationAddress(i),
                    port.tos(i)));
        }
        return received;
    }

    /** Receives until there are {@code messages}, or fails after ten seconds; more are a failure. */
    List<Received> receive(int messages) {
        List<Received> received = new ArrayList<>();
        long start = System.nanoTime();
        while (received.size() < messages) {
            received.addAll(receive());
            checkTime(start, received.size() + " of " + messages + " messages");
        }
        assertThat(received).hasSize(messages);
        return received;
    }

    Received receiveOne() {
        return receive(1).getFirst();
    }

    /** Receives until there are {@code count} bytes, whatever messages they come in. */
    byte[] receiveBytes(int count) {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        long start = System.nanoTime();
        while (received.size() < count) {
            receive().forEach(got -> received.writeBytes(got.bytes()));
            checkTime(start, received.size() + " of " + count + " bytes");
        }
        return received.toByteArray();
    }

    private static void checkTime(long start, String got) {
        if (System.nanoTime() - start > MOST_NANOS) {
            throw new AssertionError("only " + got);
        }
    }

    static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    /** No two datagrams of it look the same. */
    static byte[] pattern(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8) * 7);
        }
        return bytes;
    }

    @Override
    public void close() {
        port.close();
    }
}
