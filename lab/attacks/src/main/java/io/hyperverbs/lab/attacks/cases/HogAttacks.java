package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.RawSocket;
import io.hyperverbs.vmm.posix.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Attacks on what all share of the computer: processes, memory, descriptors, disk. */
public final class HogAttacks {
    private static final long MIB = 1L << 20;

    /** More than any limit; an attack that comes so far has shown that there is none. */
    private static final long MEMORY_BYTES = 2048 * MIB;

    private static final long DISK_BYTES = 512 * MIB;
    private static final int DESCRIPTORS = 4096;
    private static final int THREADS = 2000;
    private static final int PIECE_BYTES = 1 << 20;
    private static final int READ_WRITE = 3;
    private static final int PRIVATE_ANONYMOUS_POPULATED = 0x8022;
    private static final int SHARED_ANONYMOUS = 0x21;

    private HogAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                hog("fork-bomb", "starts processes, by five ways", HogAttacks::processes),
                hog("thread-bomb", "starts threads until it is refused", HogAttacks::threads),
                hog(
                        "memory-bomb",
                        "takes private memory until it is refused, then shared memory, which no" + " limit counts",
                        HogAttacks::memory),
                hog("fd-flood", "opens files until it is refused", HogAttacks::descriptors),
                hog(
                        "disk-fill",
                        "fills every folder it may write, also with files that have no name",
                        HogAttacks::disk),
                hog("output-flood", "prints as fast as it can", HogAttacks::output));
    }

    private static IsolationCase hog(String name, String does, IsolationCase.Attack attack) {
        return new IsolationCase(
                "process." + name,
                "F10",
                does,
                "Firecracker jailer limits",
                "the computer",
                "bounded; victims unaffected",
                attack);
    }

    private static String processes(AttackContext context) throws Breach {
        long sigchld = 17;
        List<Long> results = List.of(
                SystemCall.make(Calls.FORK),
                SystemCall.make(Calls.CLONE, sigchld),
                SystemCall.make(Calls.CLONE3, 0, 0),
                SystemCall.make(Calls.EXECVE, 0, 0, 0));
        if (results.contains(0L)) {
            // This is the child, with one thread of a JVM.
            SystemCall.make(Calls.EXIT_GROUP, 0);
        }
        Breach.unless(results.stream().allMatch(one -> one < 0), "calls gave " + results);
        try {
            Process process = new ProcessBuilder("/bin/true").start();
            throw new Breach("started process " + process.pid());
        } catch (IOException denied) {
            return "no process by five ways";
        }
    }

    private static String threads(AttackContext context) throws Breach, InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        try {
            while (threads.size() < THREADS) {
                Thread thread = Thread.ofPlatform().daemon().stackSize(64 << 10).unstarted(() -> await(over));
                thread.start();
                threads.add(thread);
            }
            awaitTheVmm();
        } catch (OutOfMemoryError refused) {
            // No more threads, as it is said.
        } finally {
            over.countDown();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Breach.unless(threads.size() < THREADS, threads.size() + " threads, and more to come");
        return "refused after " + threads.size() + " threads";
    }

    /** Where the VMM counts files and threads, it ends who has too many, but not at once. */
    private static void awaitTheVmm() {
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(5));
    }

    private static void await(CountDownLatch over) {
        try {
            boolean _ = over.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String memory(AttackContext context) throws Breach {
        List<Long> pieces = new ArrayList<>();
        long pieceBytes = 16 * MIB;
        long last = 0;
        while (pieces.size() * pieceBytes < MEMORY_BYTES) {
            last = SystemCall.make(Calls.MMAP, 0, pieceBytes, READ_WRITE, PRIVATE_ANONYMOUS_POPULATED, -1, 0);
            if (last < 0) {
                break;
            }
            pieces.add(last);
        }
        for (long piece : pieces) {
            SystemCall.make(Calls.MUNMAP, piece, pieceBytes);
        }
        Breach.unless(last < 0, MEMORY_BYTES / MIB + " MiB, and more to come");
        try (Arena arena = Arena.ofConfined()) {
            refused("memfd_create", SystemCall.make(Calls.MEMFD_CREATE, name(arena), 0));
        }
        refused("shmget", SystemCall.make(Calls.SHMGET, 0, PIECE_BYTES, 0x3b6));
        refused(
                "shared memory without a file",
                SystemCall.make(Calls.MMAP, 0, PIECE_BYTES, READ_WRITE, SHARED_ANONYMOUS, -1, 0));
        return "refused after " + pieces.size() * pieceBytes / MIB + " MiB; no shared memory";
    }

    private static long name(Arena arena) {
        MemorySegment name = arena.allocateFrom("hog");
        return name.address();
    }

    private static void refused(String what, long result) throws Breach {
        Breach.unless(result < 0, what + " gave " + result);
    }

    private static String descriptors(AttackContext context) throws Breach, IOException {
        List<FileChannel> open = new ArrayList<>();
        try {
            while (open.size() < DESCRIPTORS) {
                open.add(FileChannel.open(Path.of("/dev/null"), StandardOpenOption.READ));
            }
        } catch (IOException refused) {
            // Too many open files.
        } finally {
            for (FileChannel file : open) {
                file.close();
            }
        }
        Breach.unless(open.size() < DESCRIPTORS, open.size() + " files, and more to come");
        return "refused after " + open.size() + " files";
    }

    private static String disk(AttackContext context) throws Breach, IOException {
        List<String> filled = new ArrayList<>();
        for (Path folder : List.of(
                Path.of("/dev/shm"),
                Path.of("/dev"),
                Path.of("/tmp"),
                RawSocket.folder(),
                RawSocket.folder().resolve("out"))) {
            long bytes = fill(folder);
            if (bytes >= DISK_BYTES) {
                awaitTheVmm();
            }
            Breach.unless(bytes < DISK_BYTES, bytes / MIB + " MiB in " + folder);
            filled.add(bytes / MIB + " MiB in " + folder);
        }
        return String.join(", ", filled);
    }

    /** Writes files and unlinks those it can, so that nobody sees them; how many bytes. */
    private static long fill(Path folder) throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        List<FileChannel> files = new ArrayList<>();
        long bytes = 0;
        try {
            for (int i = 0; i < 64 && bytes < DISK_BYTES; i++) {
                Path path = folder.resolve("hog-" + i);
                FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                files.add(file);
                boolean _ = path.toFile().delete();
                bytes += fill(file, piece);
            }
        } catch (IOException denied) {
            // Read-only, closed or full.
        } finally {
            for (FileChannel file : files) {
                file.close();
            }
        }
        return bytes;
    }

    private static long fill(FileChannel file, ByteBuffer piece) {
        long bytes = 0;
        try {
            while (bytes < DISK_BYTES) {
                bytes += file.write(piece.clear());
            }
        } catch (IOException full) {
            // The file, or the file system.
        }
        return bytes;
    }

    private static String output(AttackContext context) {
        String line = "flood ".repeat(1000);
        long until = System.nanoTime() + context.duration().toNanos();
        long lines = 0;
        while (System.nanoTime() - until < 0) {
            System.out.println(line);
            lines++;
        }
        return lines * line.length() / MIB + " MiB printed, the last lines kept";
    }
}
