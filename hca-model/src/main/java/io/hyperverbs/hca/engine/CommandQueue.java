package io.hyperverbs.hca.engine;

import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings commands to the engine. With an engine thread attached they run there, between two turns,
 * while the caller waits; with none they run at once on the caller's thread. {@link #call} is for
 * any thread.
 */
public final class CommandQueue {
    private static final long DEADLINE_SECONDS = 10;

    /**
     * How long to look for the answer before sleep. It mostly comes after a turn or two, and a
     * caller that sleeps has to wait for its core among those who compute there.
     */
    private static final long LOOK_NANOS = 20_000;

    /**
     * Of each caller. It yields, as the kernel may wake the engine on the core of its caller: one that only spins there
     * keeps it from the answer (docs/measurements/starts.md).
     */
    private static final ThreadLocal<WaitingPolicy> LOOKING =
            ThreadLocal.withInitial(() -> WaitingPolicy.wary(LOOK_NANOS));

    private final Queue<Command<?>> queue = new ConcurrentLinkedQueue<>();
    private final Object inline = new Object();
    private final Runnable wake;
    private volatile @Nullable Thread engineThread;

    /**
     * @param wake ends the engine's sleep
     */
    public CommandQueue(Runnable wake) {
        this.wake = wake;
    }

    /** One command; the thread that sets {@code claimed} decides its outcome. */
    private record Command<T>(Supplier<T> body, CompletableFuture<T> answer, AtomicBoolean claimed) {
        void run() {
            if (!claimed.compareAndSet(false, true)) {
                return;
            }
            try {
                answer.complete(body.get());
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        }
    }

    /**
     * Runs a command and waits for its answer.
     *
     * @param late the answer if the engine does not get to it in time; it is not run then
     */
    public <T> T call(Supplier<T> body, T late) {
        Thread engine = engineThread;
        if (Thread.currentThread().equals(engine)) {
            return body.get();
        }
        Command<T> command = new Command<>(body, new CompletableFuture<>(), new AtomicBoolean());
        queue.add(command);
        if (engineThread == null) {
            runInline();
        } else {
            wake.run();
        }
        return await(command, late);
    }

    /** Whether one waits: one look. */
    boolean isWaiting() {
        return !queue.isEmpty();
    }

    /** Runs one that waits, if there is one. Engine thread, between two turns. */
    public int runOne() {
        Command<?> command = queue.poll();
        if (command == null) {
            return 0;
        }
        command.run();
        return 1;
    }

    /** From now on commands run on that thread, which calls {@link Engine#doWork}. */
    public void attach(Thread thread) {
        synchronized (inline) {
            engineThread = thread;
        }
    }

    /** The engine thread has done its last turn. */
    public void detach() {
        engineThread = null;
        runInline();
    }

    private void runInline() {
        synchronized (inline) {
            if (engineThread == null) {
                while (runOne() > 0) {}
                return;
            }
        }
        wake.run();
    }

    private static <T> T await(Command<T> command, T late) {
        WaitingPolicy looking = LOOKING.get();
        looking.reset();
        while (!command.answer.isDone() && !looking.idle()) {}
        try {
            return command.answer.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            if (command.claimed.compareAndSet(false, true)) {
                return late;
            }
            return command.answer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (command.claimed.compareAndSet(false, true)) {
                return late;
            }
            return command.answer.join();
        } catch (ExecutionException e) {
            throw new IllegalStateException("command failed in the HCA", e.getCause());
        }
    }
}
