package io.hyperverbs.vmm.posix;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A listening SOCK_SEQPACKET socket. One thread accepts, and is the one to close; any thread may
 * {@link #shutdown}. What it accepts takes no descriptors: who listens here makes all shared memory
 * itself.
 */
public final class PacketListener implements AutoCloseable {
    private final Fd fd;
    private final Object life = new Object();
    private boolean closed;
    private boolean shut;

    private PacketListener(Fd fd) {
        this.fd = fd;
    }

    /**
     * Listens at {@code path}, which must not exist; who may connect is for the folder and the
     * file's mode to say.
     */
    public static PacketListener listen(Path path, int backlog) throws PosixException {
        Fd fd = SocketCalls.socket();
        try {
            SocketCalls.bind(fd, path);
            SocketCalls.listen(fd, backlog);
            return new PacketListener(fd);
        } catch (PosixException e) {
            fd.close();
            throw e;
        }
    }

    /**
     * Waits for the next connection; null once shut down. One that ended before it was accepted, or
     * for which there are no descriptors at the moment, ends no wait.
     */
    public @Nullable PacketSocket accept() throws PosixException {
        Shortage shortage = new Shortage();
        while (true) {
            try {
                return socket(SocketCalls.accept(fd));
            } catch (PosixException e) {
                synchronized (life) {
                    if (shut) {
                        return null;
                    }
                }
                if (!e.isShortage() && e.errno() != Errno.ECONNABORTED) {
                    throw e;
                }
                shortage.pause();
            }
        }
    }

    private static PacketSocket socket(Fd accepted) {
        try {
            return new PacketSocket(accepted, false);
        } catch (RuntimeException | Error e) {
            // Its buffers did not fit into memory.
            accepted.close();
            throw e;
        }
    }

    /** Ends a blocked accept, and refuses those who wait to be accepted. */
    public void shutdown() {
        synchronized (life) {
            if (!closed) {
                shut = true;
                SocketCalls.shutdown(fd);
            }
        }
    }

    /** Gives the descriptor back; the file in the folder stays. The accepting thread alone. */
    @Override
    public void close() {
        synchronized (life) {
            shut = true;
            closed = true;
            fd.close();
        }
    }
}
