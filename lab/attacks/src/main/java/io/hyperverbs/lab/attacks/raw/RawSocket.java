package io.hyperverbs.lab.attacks.raw;

import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A connection to the domain's device socket that speaks bytes. Never waits. */
public final class RawSocket implements AutoCloseable {
    private static final int BUFFER_BYTES = 4096;

    private final SocketChannel channel;
    private boolean open = true;

    private RawSocket(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * Connects to the device socket.
     *
     * @throws SocketRefused where no sockets can be made
     * @throws IOException if the other side takes no connection now
     */
    public static RawSocket device() throws IOException {
        SocketChannel channel = open();
        channel.connect(UnixDomainSocketAddress.of(folder().resolve("device.sock")));
        channel.configureBlocking(false);
        return new RawSocket(channel);
    }

    /**
     * Looks whether sockets can be made, and connects to nobody.
     *
     * @throws SocketRefused where they cannot
     */
    public static void ensureAllowed() throws IOException {
        open().close();
    }

    private static SocketChannel open() throws IOException {
        try {
            return SocketChannel.open(StandardProtocolFamily.UNIX);
        } catch (SocketException refused) {
            throw new SocketRefused(refused);
        }
    }

    /** The domain's folder, as this process was told on its command line. */
    public static Path folder() throws IOException {
        List<String> words = List.of(Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.UTF_8)
                .split("\0", -1));
        int at = words.indexOf("--folder");
        if (at < 0 || at + 1 == words.size()) {
            throw new IOException("this process was not told of a folder");
        }
        return Path.of(words.get(at + 1));
    }

    /** Writes what the other side takes now; the number of bytes. */
    public int write(byte[] bytes) {
        if (!open) {
            return 0;
        }
        try {
            return channel.write(ByteBuffer.wrap(bytes));
        } catch (IOException closed) {
            open = false;
            return 0;
        }
    }

    /** Reads what has come into {@code into}; the number of bytes. */
    public int read(ByteBuffer into) {
        if (!open) {
            return 0;
        }
        try {
            int read = channel.read(into);
            open = read >= 0;
            return Math.max(0, read);
        } catch (IOException reset) {
            open = false;
            return 0;
        }
    }

    /** Reads and drops what comes until the other side closes; false if it does not in time. */
    public boolean awaitClose(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES);
        WaitingPolicy waiting = WaitingPolicy.hybrid();
        try {
            while (open) {
                int read = channel.read(bytes.clear());
                open = read >= 0;
                if (read == 0) {
                    if (System.nanoTime() - deadline > 0) {
                        return false;
                    }
                    waiting.idleOrNap();
                }
            }
        } catch (IOException reset) {
            open = false;
        }
        return true;
    }

    /** False once the other side has closed it. */
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
