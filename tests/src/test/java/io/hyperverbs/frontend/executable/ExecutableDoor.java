package io.hyperverbs.frontend.executable;

import io.hyperverbs.frontend.event.EventDispatcher;
import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.vmm.hypercall.ExecutableMemory;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PosixException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

/** The driver's side of executables' connections without a guest: memories, and sessions that have one each. */
public final class ExecutableDoor {
    /** What judges frames; for mistakes to be planted in. */
    public static final Class<?> FRAMES = OwnFrames.class;

    private static final int PATIENCE_SECONDS = 15;

    private final MemoryPool memories;

    public ExecutableDoor(List<ExecutableMemory> memories) {
        this.memories = new MemoryPool(memories);
    }

    /** A connection as the driver serves it, on a thread of its own. */
    public Served connect(ControlPath path, LongFunction<Fd> grants) throws PosixException {
        return new Served(path, grants);
    }

    /** One connection. */
    public final class Served {
        private final PacketSocket program;
        private final ExecutableMemory memory = Objects.requireNonNull(memories.take(Duration.ZERO));
        private final FutureTask<Boolean> serving;

        private Served(ControlPath path, LongFunction<Fd> grants) throws PosixException {
            PacketSocket.Pair pair = PacketSocket.pair();
            program = PacketSocket.of(pair.other());
            ExecutableSession session = new ExecutableSession(
                    pair.own(),
                    new PrivilegedVerbs(path, VerbTrace.off()),
                    new EventDispatcher(),
                    grants::apply,
                    memory);
            serving = new FutureTask<>(() -> {
                try (PacketSocket _ = pair.own()) {
                    if (!session.serve()) {
                        return false;
                    }
                    memories.giveBack(memory);
                    return true;
                }
            });
            Thread.ofPlatform().daemon().name("served").start(serving);
        }

        /** The executable's end. */
        public PacketSocket program() {
            return program;
        }

        /** The memory that it has. */
        public ExecutableMemory memory() {
            return memory;
        }

        /** Ends the connection; it is an AssertionError if anything of it is left, or was thrown. */
        public void end() {
            program.close();
            try {
                if (!serving.get(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("the session says that objects are left");
                }
            } catch (ExecutionException e) {
                throw new AssertionError("the session threw", e.getCause());
            } catch (TimeoutException e) {
                throw new AssertionError("the session does not end", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
