package io.hyperverbs.lab.run.ip;

import io.hyperverbs.vmm.posix.NetworkNamespace;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * A TCP connection between the networks of two domains, both ends in this process, which is the same on each data path: a
 * socket belongs to the network namespace that it was made in. One measurement at a time.
 */
final class IpSockets implements AutoCloseable {
    private static final int READ_BYTES = 1 << 20;

    private final SocketChannel client;
    private final SocketChannel server;

    private IpSockets(SocketChannel client, SocketChannel server) {
        this.client = client;
        this.server = server;
    }

    static IpSockets connect(IpPair pair) throws IOException {
        InetSocketAddress address = new InetSocketAddress(pair.address(), 0);
        try (ServerSocketChannel listener = NetworkNamespace.inside(
                pair.server(),
                () -> ServerSocketChannel.open(StandardProtocolFamily.INET).bind(address))) {
            SocketChannel client =
                    NetworkNamespace.inside(pair.client(), () -> SocketChannel.open(StandardProtocolFamily.INET));
            try {
                SocketChannel _ = client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                boolean _ = client.connect(listener.getLocalAddress());
                return new IpSockets(client, listener.accept().setOption(StandardSocketOptions.TCP_NODELAY, true));
            } catch (IOException e) {
                client.close();
                throw e;
            }
        }
    }

    /**
     * Half of the median round trip.
     *
     * @param sizeBytes of each message
     * @return microseconds
     */
    double halfRoundTrip(int sizeBytes, int count) throws IOException {
        CompletableFuture<Void> echoes = inBackground(() -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(sizeBytes);
            for (int i = 0; i < count; i++) {
                readAll(server, buffer.clear());
                writeAll(server, buffer.flip());
            }
        });
        ByteBuffer buffer = ByteBuffer.allocateDirect(sizeBytes);
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            writeAll(client, buffer.clear());
            readAll(client, buffer.clear());
            nanos[i] = System.nanoTime() - begin;
        }
        echoes.join();
        Arrays.sort(nanos);
        return nanos[count / 2] / 2e3;
    }

    /**
     * A stream in one direction, with which the connection ends.
     *
     * @param sizeBytes of each write
     * @param nanos how long it is written
     * @return MiB a second, from the first byte's sending to the last one's coming
     */
    double stream(int sizeBytes, long nanos) throws IOException {
        // The kernel may gather short writes.
        SocketChannel _ = client.setOption(StandardSocketOptions.TCP_NODELAY, false);
        CompletableFuture<Void> writes = inBackground(() -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(sizeBytes);
            long end = System.nanoTime() + nanos;
            while (System.nanoTime() - end < 0) {
                writeAll(client, buffer.clear());
            }
            SocketChannel _ = client.shutdownOutput();
        });
        ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
        long begin = System.nanoTime();
        long total = 0;
        int count = server.read(buffer);
        while (count >= 0) {
            total += count;
            count = server.read(buffer.clear());
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        writes.join();
        return total / seconds / (1 << 20);
    }

    private interface Work {
        void run() throws IOException;
    }

    private static CompletableFuture<Void> inBackground(Work work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("ip-peer").start(() -> {
            try {
                work.run();
                done.complete(null);
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private static void writeAll(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            int _ = channel.write(buffer);
        }
    }

    private static void readAll(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            int _ = read(channel, buffer);
        }
    }

    private static int read(SocketChannel channel, ByteBuffer buffer) throws IOException {
        int count = channel.read(buffer);
        if (count < 0) {
            throw new EOFException("the other end has closed");
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        try (client) {
            server.close();
        }
    }
}
