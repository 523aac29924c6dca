package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.vmm.envelope.Promise;
import io.hyperverbs.vmm.posix.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Attacks on what all share of the computer by ways that limits of a process do not count: memory
 * that is no private data, the kernel's own memory, processor time. The attacker is refused, or
 * ends at its limit.
 */
public final class EnvelopeAttacks {
    private static final long MIB = 1L << 20;

    /** More than a guest may have; an attack that comes so far has shown that there is no limit. */
    private static final long BEYOND_BYTES = 2048 * MIB;

    private static final long PIECE_BYTES = 16 * MIB;
    private static final long TABLE_REACH_BYTES = 2 * MIB;
    private static final long REGION_BYTES = 64L << 30;
    private static final int PAGE_BYTES = 4096;

    private static final int READ = 1;
    private static final int READ_WRITE = 3;
    private static final int SHARED_POPULATED = 0x8001;
    private static final int PRIVATE_ANONYMOUS_POPULATED = 0x8022;
    private static final int GROWS_DOWN = 0x100;
    private static final int PRIVATE_ANONYMOUS_NORESERVE = 0x4022;
    private static final int POPULATE_READ = 22;
    private static final int NO_HUGE_PAGES = 15;
    private static final int AT_FDCWD = -100;
    private static final int OPEN_READ_WRITE = 2;
    private static final int SET_PIPE_SIZE = 1031;
    private static final int NON_BLOCKING = 0x800;
    private static final int MOST_PIPES = 4096;

    private EnvelopeAttacks() {}

    /** All of row M2. */
    public static List<IsolationCase> cases() {
        return List.of(
                memory(
                        "protect",
                        "writes memory and makes it read-only, so that it is no data any more",
                        EnvelopeAttacks::protect),
                memory("stack-growth", "takes memory that counts as stack (MAP_GROWSDOWN)", EnvelopeAttacks::stacks),
                memory("shared-zero", "takes shared memory by mapping /dev/zero", EnvelopeAttacks::sharedZero),
                memory(
                        "page-tables",
                        "reads one byte of each 2 MiB, which costs nothing but page tables",
                        EnvelopeAttacks::pageTables),
                memory("pipes", "fills pipes, whose bytes are the kernel's memory", EnvelopeAttacks::pipes));
    }

    private static IsolationCase memory(String name, String does, IsolationCase.Attack attack) {
        return new IsolationCase(
                        "envelope." + name,
                        "M2",
                        does,
                        "memory that RLIMIT_DATA does not count",
                        "the computer",
                        "refused, or ended at its limit; victims unaffected",
                        attack)
                .where(Promise.MEMORY);
    }

    private static String protect(AttackContext context) throws Breach {
        return take(() -> {
            long address = map(READ_WRITE, PRIVATE_ANONYMOUS_POPULATED, -1);
            return address < 0 ? address : protectRead(address);
        });
    }

    private static long protectRead(long address) {
        long result = SystemCall.make(Calls.MPROTECT, address, PIECE_BYTES, READ);
        return result < 0 ? result : address;
    }

    private static String stacks(AttackContext context) throws Breach {
        return take(() -> map(READ_WRITE, PRIVATE_ANONYMOUS_POPULATED | GROWS_DOWN, -1));
    }

    private static String sharedZero(AttackContext context) throws Breach {
        try (Arena arena = Arena.ofConfined()) {
            long path = arena.allocateFrom("/dev/zero").address();
            int zero = (int) SystemCall.make(Calls.OPENAT, AT_FDCWD, path, OPEN_READ_WRITE);
            if (zero < 0) {
                return "/dev/zero cannot be opened for writing";
            }
            try {
                return take(() -> map(READ_WRITE, SHARED_POPULATED, zero));
            } finally {
                SystemCall.make(Calls.CLOSE, zero);
            }
        }
    }

    private static long map(int protection, int flags, int file) {
        return SystemCall.make(Calls.MMAP, 0, PIECE_BYTES, protection, flags, file, 0);
    }

    /** Takes one piece: its address, or an error number, negated. */
    @FunctionalInterface
    private interface Taking {
        long take();
    }

    private static String take(Taking taking) throws Breach {
        List<Long> pieces = new ArrayList<>();
        long last = 0;
        while (last >= 0 && pieces.size() * PIECE_BYTES < BEYOND_BYTES) {
            last = taking.take();
            if (last >= 0) {
                pieces.add(last);
            }
        }
        pieces.forEach(piece -> SystemCall.make(Calls.MUNMAP, piece, PIECE_BYTES));
        return judged(pieces.size() * PIECE_BYTES);
    }

    private static String judged(long bytes) throws Breach {
        Breach.unless(bytes < BEYOND_BYTES, bytes / MIB + " MiB, and more to come");
        return "refused after " + bytes / MIB + " MiB";
    }

    private static String pageTables(AttackContext context) throws Breach {
        List<Long> regions = new ArrayList<>();
        long tables = 0;
        while (tables * PAGE_BYTES < BEYOND_BYTES) {
            long region = SystemCall.make(Calls.MMAP, 0, REGION_BYTES, READ, PRIVATE_ANONYMOUS_NORESERVE, -1, 0);
            if (region < 0) {
                break;
            }
            regions.add(region);
            SystemCall.make(Calls.MADVISE, region, REGION_BYTES, NO_HUGE_PAGES);
            long before = tables;
            for (long at = 0; at < REGION_BYTES; at += TABLE_REACH_BYTES) {
                if (SystemCall.make(Calls.MADVISE, region + at, PAGE_BYTES, POPULATE_READ) == 0) {
                    tables++;
                }
            }
            if (tables == before) {
                break;
            }
        }
        regions.forEach(region -> SystemCall.make(Calls.MUNMAP, region, REGION_BYTES));
        return judged(tables * PAGE_BYTES);
    }

    private static String pipes(AttackContext context) throws Breach {
        List<Long> ends = new ArrayList<>();
        long bytes = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pair = arena.allocate(ValueLayout.JAVA_INT, 2);
            MemorySegment piece = arena.allocate(MIB);
            while (ends.size() < 2 * MOST_PIPES && bytes < BEYOND_BYTES) {
                if (SystemCall.make(Calls.PIPE2, pair.address(), NON_BLOCKING) < 0) {
                    break;
                }
                long writing = pair.getAtIndex(ValueLayout.JAVA_INT, 1);
                ends.add((long) pair.getAtIndex(ValueLayout.JAVA_INT, 0));
                ends.add(writing);
                SystemCall.make(Calls.FCNTL, writing, SET_PIPE_SIZE, MIB);
                long written = SystemCall.make(Calls.WRITE, writing, piece.address(), MIB);
                bytes += Math.max(0, written);
            }
        } finally {
            ends.forEach(end -> SystemCall.make(Calls.CLOSE, end));
        }
        return judged(bytes);
    }
}
