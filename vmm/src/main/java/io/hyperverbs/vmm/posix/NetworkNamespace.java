package io.hyperverbs.vmm.posix;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Work in a network namespace other than the process's own, network_namespaces(7). Needs root. Any thread. */
public final class NetworkNamespace {
    private static final int CLONE_NEWNET = 0x4000_0000;
    private static final CFunction SETNS = CFunction.of("setns");

    private NetworkNamespace() {}

    /** What is done there: a socket or device belongs to the namespace of the thread that made it. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws IOException;
    }

    /**
     * Runs {@code work} on a thread that is in the namespace, and ends the thread.
     *
     * @param namespace its file, such as {@code /proc/PID/ns/net}
     * @throws IOException of the work; PosixException EPERM for who is not root
     */
    public static <T> T inside(Path namespace, Work<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(() -> {
            try (Fd file = Fd.open(namespace, 0)) {
                enter(file);
            }
            return work.run();
        });
        Thread.ofPlatform().daemon().name("in-namespace").start(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted in " + namespace);
        }
    }

    private static void enter(Fd file) throws PosixException {
        CLibrary.check(SETNS.call(file.number(), CLONE_NEWNET), "setns");
    }
}
