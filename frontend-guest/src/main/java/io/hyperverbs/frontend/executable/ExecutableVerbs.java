package io.hyperverbs.frontend.executable;

import io.hyperverbs.frontend.event.EventDispatcher;
import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.ExecutableMemory;
import io.hyperverbs.vmm.hypercall.HypercallClient;
import io.hyperverbs.vmm.io.ExecutableGreeting;
import io.hyperverbs.vmm.memory.FrameTable;
import io.hyperverbs.vmm.posix.PacketListener;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PosixException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The driver's socket for executables: each connection is one of them, with a memory and objects of its own. Threads of
 * its own, which end with the guest.
 */
public final class ExecutableVerbs {
    private static final int BACKLOG = 64;

    /** Served, and waiting for memory; others are not accepted until one of these has ended. */
    private static final int MAX_CONNECTIONS = 64;

    /** What a program left may still be taken away when the next one starts. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final HypercallClient machine;
    private final PrivilegedVerbs verbs;
    private final EventDispatcher events;
    private final MemoryPool memories;
    private final Semaphore places = new Semaphore(MAX_CONNECTIONS);

    private ExecutableVerbs(HypercallClient machine, PrivilegedVerbs verbs, EventDispatcher events) {
        this.machine = machine;
        this.verbs = verbs;
        this.events = events;
        this.memories = new MemoryPool(machine.executableMemories());
    }

    /** Makes the socket, on which nobody is served yet. */
    public static PacketListener listen(Path path) throws PosixException {
        return PacketListener.listen(path, BACKLOG);
    }

    /** Serves whoever connects to {@code listener}. */
    public static void start(
            PacketListener listener, HypercallClient machine, PrivilegedVerbs verbs, EventDispatcher events) {
        ExecutableVerbs served = new ExecutableVerbs(machine, verbs, events);
        Thread.ofPlatform().daemon().name("executables").start(() -> served.accept(listener));
    }

    private void accept(PacketListener listener) {
        try (listener) {
            places.acquire();
            for (PacketSocket socket = listener.accept(); socket != null; socket = listener.accept()) {
                PacketSocket connected = socket;
                Thread.ofPlatform().daemon().name("executable").start(() -> serve(connected));
                places.acquire();
            }
        } catch (PosixException e) {
            System.err.println("executables are not served any more: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(PacketSocket socket) {
        try (socket) {
            ExecutableMemory memory = memories.take(PATIENCE);
            if (memory == null) {
                refuse(socket);
            } else if (!greet(socket, memory)) {
                memories.putBack(memory);
            } else if (new ExecutableSession(socket, verbs, events, machine::grantedFile, memory).serve()) {
                memories.giveBack(memory);
            } else {
                System.err.println("memory of an executable is lost: what it left in the HCA cannot be destroyed");
            }
        } catch (PosixException e) {
            System.err.println("executable: " + e.getMessage());
        } finally {
            places.release();
        }
    }

    /** Whoever is gone needs no answer. */
    private void refuse(PacketSocket socket) throws PosixException {
        String why = memories.count() + " executables of this guest run verbs already";
        boolean _ = socket.trySend(
                ExecutableGreeting.refusal(machine.boot().name(), VerbsStatus.ENOMEM, why)
                        .bytes(),
                List.of());
    }

    /**
     * Sends the memory.
     *
     * @return false if the executable was gone already, and does not have it
     */
    private boolean greet(PacketSocket socket, ExecutableMemory memory) {
        long bytes = memory.frames() * FrameTable.FRAME_BYTES;
        try {
            socket.send(
                    ExecutableGreeting.welcome(machine.boot().name(), bytes).bytes(),
                    List.of(memory.memfd(), machine.doorbellFd().orElseThrow().fd()));
            return true;
        } catch (PosixException e) {
            return false;
        }
    }
}
