package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Does several things side by side, each of which waits for a process. */
public final class Parallel {
    private Parallel() {}

    /**
     * Returns when all are done.
     *
     * @param failed what it means if one does not work, for the message
     * @throws HvException the first one's; FAILURE for any other exception
     */
    public static <T> void run(Collection<? extends Callable<T>> all, String failed)
            throws HvException, InterruptedException {
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<T> one : pool.invokeAll(all)) {
                T _ = one.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof HvException known
                    ? known
                    : new HvException(ExitCode.FAILURE, failed + ": " + e.getCause(), "");
        }
    }
}
