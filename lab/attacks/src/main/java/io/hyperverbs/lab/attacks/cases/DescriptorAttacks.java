package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawPair;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.vmm.hypercall.HypercallClient;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Attacks with descriptors: those it was given, those it inherited, and some of its own. */
public final class DescriptorAttacks {
    private static final int PAGE = 4096;
    private static final int PUNCH_HOLE_KEEP_SIZE = 3;
    private static final int F_ADD_SEALS = 1033;
    private static final int SEAL_WRITE = 8;
    private static final int READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int MADV_REMOVE = 9;
    private static final int SEQPACKET = 5;
    private static final long PATIENCE_SECONDS = 20;

    /** Files of which a guest has descriptors that nobody else gave it. */
    private static final Pattern NAMED = Pattern.compile("pipe:.*|socket:.*|anon_inode:.*|/dev/(null|u?random)"
            + "|.*\\.(jar|aot)|.*/lib/(modules|.*\\.so)|.*/proc/self/fd|/proc/[0-9]+/fd");

    /** Variables that a shell in the sandbox sets. */
    private static final List<String> HARMLESS = List.of("PWD", "SHLVL", "_", "OLDPWD");

    private DescriptorAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                new IsolationCase(
                        "process.truncate",
                        "F4",
                        "truncates and grows the memory files that the VMM gave it, and opens them" + " again to do so",
                        "SIGBUS in whoever has it mapped",
                        "device domain",
                        "refused by seals",
                        DescriptorAttacks::truncate),
                new IsolationCase(
                        "process.seals",
                        "F16",
                        "seals its memory files, and writes to the one it may only read: as it is,"
                                + " by a hole, and mapped",
                        "memfd mode is 0777: a read-only descriptor is no protection",
                        "device domain",
                        "refused by seals",
                        DescriptorAttacks::seals),
                new IsolationCase(
                        "process.holes",
                        "F5",
                        "punches holes into its doorbell page and its RAM under the device domain",
                        "SIGBUS in whoever has it mapped",
                        "device domain",
                        "zeroes, and an honest device works",
                        DescriptorAttacks::holes),
                new IsolationCase(
                        "process.own-descriptors",
                        "F6",
                        "passes 50 descriptors of its own to the VMM over its hypercall socket",
                        "CVE-2022-0669 (DPDK vhost, descriptors never closed)",
                        "VMM",
                        "connection closed",
                        DescriptorAttacks::ownDescriptors),
                new IsolationCase(
                        "process.inheritance",
                        "F11",
                        "looks through its environment, arguments and descriptors for what is not" + " its own",
                        "Firecracker jailer closes descriptors and clears the environment",
                        "VMM",
                        "none",
                        DescriptorAttacks::inheritance));
    }

    private static Fd file(AttackContext context, int grant) throws Exception {
        RawDevice device = context.device();
        return ((HypercallClient) device.machine()).grantedFile(device.grants().get(grant));
    }

    private static String truncate(AttackContext context) throws Exception {
        int tried = 0;
        try (Fd doorbells = file(context, 0);
                Fd status = file(context, 1)) {
            for (Fd memory : List.of(doorbells, status)) {
                int fd = memory.number();
                for (long size : new long[] {0, 1, PAGE - 1, PAGE + 1, 1L << 40}) {
                    refused("ftruncate to " + size, SystemCall.make(Calls.FTRUNCATE, fd, size));
                    tried++;
                }
                refused("growing it", SystemCall.make(Calls.FALLOCATE, fd, 0, PAGE, PAGE));
                truncateReopened(fd);
                tried += 2;
            }
        }
        return "2 memory files at hand, " + tried + " tries, none changed its size";
    }

    private static String seals(AttackContext context) throws Exception {
        try (Fd doorbells = file(context, 0);
                Fd status = file(context, 1);
                Arena arena = Arena.ofConfined()) {
            for (Fd memory : List.of(doorbells, status)) {
                refused("F_ADD_SEALS", SystemCall.make(Calls.FCNTL, memory.number(), F_ADD_SEALS, SEAL_WRITE));
            }
            int fd = status.number();
            refused("a hole in the status page", SystemCall.make(Calls.FALLOCATE, fd, PUNCH_HOLE_KEEP_SIZE, 0, PAGE));
            long bytes = arena.allocate(64).address();
            refused("a write to the status page", SystemCall.make(Calls.PWRITE64, fd, bytes, 64, 0));
            refused("mapping the status page", map(fd));
            refused("mapping it, opened again", mapReopened(arena, fd));
        }
        return "2 memory files at hand, 6 changes refused";
    }

    private static long mapReopened(Arena arena, int fd) {
        long path = arena.allocateFrom("/proc/self/fd/" + fd).address();
        long again = SystemCall.make(Calls.OPENAT, -100, path, 2, 0);
        return again < 0 ? again : map((int) again);
    }

    private static long map(int fd) {
        return SystemCall.make(Calls.MMAP, 0, PAGE, READ_WRITE, MAP_SHARED, fd, 0);
    }

    private static void truncateReopened(int fd) throws Breach {
        Path path = Path.of("/proc/self/fd/" + fd);
        try (FileChannel again = FileChannel.open(path, StandardOpenOption.WRITE)) {
            FileChannel _ = again.truncate(0);
            Breach.unless(again.size() == PAGE, "shrank what it had reopened");
        } catch (IOException denied) {
            // By its seals, or by Landlock.
        }
    }

    private static void refused(String what, long result) throws Breach {
        Breach.unless(result < 0, what + " gave " + result);
    }

    private static String holes(AttackContext context) throws Exception {
        RawPair before = new RawPair(context.device(), QpType.RC);
        Facts.stillWorks(before, "nothing");
        try (Fd doorbells = file(context, 0)) {
            long _ = SystemCall.make(Calls.FALLOCATE, doorbells.number(), PUNCH_HOLE_KEEP_SIZE, 0, PAGE);
        }
        int extents = 0;
        for (var extent : context.device().machine().boot().ram()) {
            MemorySegment ram = extent.memory();
            long result = SystemCall.make(Calls.MADVISE, ram.address(), ram.byteSize(), MADV_REMOVE);
            Breach.unless(result != 0 || ram.get(ValueLayout.JAVA_LONG, 0) == 0, "bytes are left in a hole");
            extents++;
        }
        context.device().ring(0);
        context.device().wake();
        RawPair after = new RawPair(context.anotherDevice(), QpType.RC);
        Facts.stillWorks(after, "holes in all of its memory");
        return "a hole in the doorbell page and " + extents + " in RAM: its own loss";
    }

    private static String ownDescriptors(AttackContext context) throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        context.device().machine().onVmmGone(closed::countDown);
        long sent = -1;
        try (Arena arena = Arena.ofConfined()) {
            for (int fd = 3; fd < 256 && sent < 0; fd++) {
                if (isPacketSocket(arena, fd)) {
                    sent = SystemCall.make(Calls.SENDMSG, fd, message(arena, fd, 50), 0);
                }
            }
        }
        Breach.unless(sent > 0, "no descriptor could be sent: " + sent);
        Breach.unless(
                closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS),
                "the VMM goes on with a connection that brought descriptors");
        return "connection closed";
    }

    private static boolean isPacketSocket(Arena arena, int fd) {
        MemorySegment type = arena.allocate(4, 4);
        MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, 4);
        long result = SystemCall.make(Calls.GETSOCKOPT, fd, 1, 3, type.address(), length.address());
        return result == 0 && type.get(ValueLayout.JAVA_INT, 0) == SEQPACKET;
    }

    /** A {@code struct msghdr} with one byte and {@code count} times descriptor {@code fd}. */
    private static long message(Arena arena, int fd, int count) {
        MemorySegment vector = arena.allocate(16, 8);
        vector.set(ValueLayout.ADDRESS, 0, arena.allocate(8));
        vector.set(ValueLayout.JAVA_LONG, 8, 1);
        long controlBytes = 16 + 4L * count;
        MemorySegment control = arena.allocate(controlBytes, 8);
        control.set(ValueLayout.JAVA_LONG, 0, controlBytes);
        control.set(ValueLayout.JAVA_INT, 8, 1);
        control.set(ValueLayout.JAVA_INT, 12, 1);
        for (int i = 0; i < count; i++) {
            control.set(ValueLayout.JAVA_INT, 16 + 4L * i, fd);
        }
        MemorySegment header = arena.allocate(56, 8);
        header.set(ValueLayout.ADDRESS, 16, vector);
        header.set(ValueLayout.JAVA_LONG, 24, 1);
        header.set(ValueLayout.ADDRESS, 32, control);
        header.set(ValueLayout.JAVA_LONG, 40, controlBytes);
        return header.address();
    }

    private static String inheritance(AttackContext context) throws IOException, Breach {
        for (String name : System.getenv().keySet()) {
            Breach.unless(HARMLESS.contains(name), "has the variable " + name);
        }
        String arguments = Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.ISO_8859_1);
        Breach.unless(
                !Pattern.compile("[0-9a-f]{32}").matcher(arguments).find(),
                "something like a token among its arguments");
        Breach.unless(
                System.getProperty("hyperverbs.injected") == null, "JAVA_TOOL_OPTIONS of whoever started the machine");
        int descriptors = 0;
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : all.toList()) {
                String target = target(descriptor);
                Breach.unless(
                        target.isEmpty() || NAMED.matcher(target).matches(),
                        String.format(Locale.ROOT, "%s is %s", descriptor, target));
                descriptors++;
            }
        }
        return "no variable, no token, " + descriptors + " descriptors of its own";
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException gone) {
            return "";
        }
    }
}
