package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.RawSocket;
import io.hyperverbs.vmm.posix.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** System calls that guests do not need, and what they would reach outside the guest. */
public final class SandboxAttacks {
    private static final int EPERM = -1;
    private static final int ENOSYS = -38;

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_NETLINK = 16;
    private static final int AF_ALG = 38;
    private static final int AF_VSOCK = 40;
    private static final int STREAM = 1;
    private static final int DATAGRAM = 2;
    private static final int RAW = 3;
    private static final int SEQPACKET = 5;

    private static final int F_SETOWN = 8;
    private static final int F_SETSIG = 10;
    private static final int F_SETOWN_EX = 15;
    private static final int FIOSETOWN = 0x8901;
    private static final int KEEP_SIZE = 1;
    private static final int READ_WRITE = 3;
    private static final int GROWS_DOWN = 0x122;
    private static final int SHARED = 1;
    private static final long GIB = 1L << 30;

    /** Longer than any path that a system call takes. */
    private static final int LONG_PATH_BYTES = 8192;

    private SandboxAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                attack(
                        "sockets",
                        "M11",
                        "makes sockets of every kind but a Unix stream: datagrams to local"
                                + " services, vsock, netlink, kernel crypto, internet",
                        "socketpair and sendto pass a ban of socket and connect",
                        "local services",
                        SandboxAttacks::sockets),
                attack(
                        "modes",
                        "M11",
                        "changes modes, owners, times and attributes of files outside and of its" + " own folder",
                        "Landlock judges neither chmod nor utimes",
                        "the computer",
                        SandboxAttacks::modes),
                attack(
                        "signal-owners",
                        "M11",
                        "has the kernel send signals to others: F_SETOWN, F_SETSIG, FIOSETOWN",
                        "Landlock before ABI 6 does not judge owners of signals",
                        "VMM, device domain",
                        SandboxAttacks::signalOwners),
                attack(
                        "processors",
                        "M11",
                        "moves to all processors and into other scheduling classes",
                        "sched_setaffinity undoes the placement beside the engine",
                        "the engine's core",
                        SandboxAttacks::processors),
                attack(
                        "async-io",
                        "M11",
                        "takes contexts of asynchronous I/O, which the whole computer shares",
                        "fs.aio-max-nr is one for all",
                        "the computer",
                        SandboxAttacks::asyncIo),
                attack(
                        "reserve",
                        "M4",
                        "reserves disk beyond the size of each file it can open, in every folder it"
                                + " sees, and looks for a file of the computer that it may write",
                        "fallocate(KEEP_SIZE) takes the disk in one call",
                        "the computer's disk",
                        SandboxAttacks::reserve),
                attack(
                        "deep-paths",
                        "M4",
                        "makes folders in folders, deeper than a path can be",
                        "who walks by path sees nothing below PATH_MAX",
                        "VMM",
                        SandboxAttacks::deepPaths),
                attack(
                        "uncounted-memory",
                        "M2",
                        "takes memory that no limit of data counts: mappings that grow down,"
                                + " shared zero pages, data that it then protects",
                        "RLIMIT_DATA counts what may be written, and forgets it after mprotect",
                        "the computer",
                        SandboxAttacks::uncountedMemory));
    }

    private static IsolationCase attack(
            String name, String row, String does, String from, String target, IsolationCase.Attack attack) {
        return new IsolationCase("sandbox." + name, row, does, from, target, "refused; victims unaffected", attack);
    }

    private static String sockets(AttackContext attackContext) throws Breach {
        int tried = 0;
        for (int family : new int[] {AF_INET, 10, AF_NETLINK, 17, AF_ALG, AF_VSOCK, 44}) {
            for (int type : new int[] {STREAM, DATAGRAM, RAW, SEQPACKET}) {
                refused("socket " + family, SystemCall.make(Calls.SOCKET, family, type, 0));
                tried++;
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            long pair = arena.allocate(8, 4).address();
            for (int type : new int[] {DATAGRAM, RAW, SEQPACKET}) {
                refused("socket", SystemCall.make(Calls.SOCKET, AF_UNIX, type, 0));
                refused("socketpair", SystemCall.make(Calls.SOCKETPAIR, AF_UNIX, type, 0, pair));
                tried += 2;
            }
        }
        return tried + " sockets refused";
    }

    private static String modes(AttackContext attackContext) throws Exception {
        int tried = 0;
        try (Arena arena = Arena.ofConfined()) {
            long attribute = arena.allocateFrom("user.hv").address();
            for (Path path : List.of(RawSocket.folder(), Path.of("/tmp"), Path.of("/etc/passwd"))) {
                long name = arena.allocateFrom(path.toString()).address();
                refused("chmod " + path, SystemCall.make(Calls.CHMOD, name, 0777));
                refused("fchmodat " + path, SystemCall.make(Calls.FCHMODAT, -100, name, 0));
                refused("fchmodat2 " + path, SystemCall.make(Calls.FCHMODAT2, -100, name, 0, 0));
                refused("chown " + path, SystemCall.make(Calls.CHOWN, name, -1, -1));
                refused("utimensat " + path, SystemCall.make(Calls.UTIMENSAT, -100, name, 0, 0));
                refused("utimes " + path, SystemCall.make(Calls.UTIMES, name, 0));
                refused("utime " + path, SystemCall.make(Calls.UTIME, name, 0));
                refused("setxattr " + path, SystemCall.make(Calls.SETXATTR, name, attribute, name, 1, 0));
                tried += 8;
            }
        }
        return tried + " changes refused";
    }

    private static String signalOwners(AttackContext attackContext) throws Exception {
        for (int fd = 0; fd < 3; fd++) {
            for (int command : new int[] {F_SETOWN, F_SETSIG, F_SETOWN_EX}) {
                refused("fcntl " + command, SystemCall.make(Calls.FCNTL, fd, command, 1));
            }
            refused("FIOSETOWN", SystemCall.make(Calls.IOCTL, fd, FIOSETOWN, 0));
        }
        return "no owner was set on 3 descriptors";
    }

    private static String processors(AttackContext attackContext) throws Breach {
        try (Arena arena = Arena.ofConfined()) {
            var all = arena.allocate(128, 8);
            all.fill((byte) 0xff);
            long zeros = arena.allocate(64, 8).address();
            refused("sched_setaffinity", SystemCall.make(Calls.SCHED_SETAFFINITY, 0, 128, all.address()));
            refused("sched_setscheduler", SystemCall.make(Calls.SCHED_SETSCHEDULER, 0, 0, zeros));
            refused("sched_setattr", SystemCall.make(Calls.SCHED_SETATTR, 0, zeros, 0));
            refused("setpriority", SystemCall.make(Calls.SETPRIORITY, 0, 0, 0));
        }
        return "neither processors nor class changed";
    }

    private static String asyncIo(AttackContext attackContext) throws Breach {
        try (Arena arena = Arena.ofConfined()) {
            long context = arena.allocate(8, 8).address();
            refused("io_setup", SystemCall.make(Calls.IO_SETUP, 65_536, context));
            refused("io_uring_setup", SystemCall.make(Calls.IO_URING_SETUP, 8, context));
        }
        return "no context";
    }

    private static String reserve(AttackContext attackContext) throws Exception {
        List<Path> files = new ArrayList<>();
        for (Path folder : List.of(RawSocket.folder(), RawSocket.folder().resolve("out"))) {
            try (Stream<Path> below = Files.walk(folder, 4)) {
                files.addAll(below.filter(Files::isRegularFile).toList());
            } catch (IOException | java.io.UncheckedIOException denied) {
                // Part of it cannot be read.
            }
            files.add(folder.resolve("hv-reserved"));
        }
        int opened = 0;
        try (Arena arena = Arena.ofConfined()) {
            for (Path file : files) {
                long name = arena.allocateFrom(file.toString()).address();
                // O_RDWR | O_CREAT, in a folder that is there.
                long fd = SystemCall.make(Calls.OPENAT, -100, name, 0x42, 0600);
                if (fd >= 0) {
                    opened++;
                    refused("fallocate", SystemCall.make(Calls.FALLOCATE, fd, KEEP_SIZE, 0, GIB));
                    Breach.unless(
                            Files.getFileStore(file).type().equals("tmpfs"),
                            "may write " + file + ", which is the computer's");
                    SystemCall.make(Calls.CLOSE, fd);
                }
            }
            long own =
                    arena.allocateFrom(RawSocket.folder() + "/out/hv-reserved").address();
            SystemCall.make(Calls.UNLINK, own);
        }
        return opened + " files opened, all of its own file system; nothing reserved";
    }

    private static String deepPaths(AttackContext attackContext) throws Exception {
        String folder = RawSocket.folder() + "/out/deep";
        String name = "d".repeat(200);
        int depth = 0;
        try (Arena arena = Arena.ofConfined()) {
            StringBuilder path = new StringBuilder(folder);
            while (path.length() < LONG_PATH_BYTES) {
                long address = arena.allocateFrom(path.toString()).address();
                if (SystemCall.make(Calls.MKDIR, address, 0700) < 0) {
                    break;
                }
                depth++;
                path.append('/').append(name);
            }
            Breach.unless(path.length() < LONG_PATH_BYTES, "a path of " + path.length());
            long here = arena.allocateFrom(".").address();
            refused("chdir", SystemCall.make(Calls.CHDIR, here));
            refused("mkdirat", SystemCall.make(Calls.MKDIRAT, -100, here, 0700));
            for (; depth > 0; depth--) {
                long address = arena.allocateFrom(path.substring(0, path.lastIndexOf("/")))
                        .address();
                SystemCall.make(Calls.RMDIR, address);
                path.setLength(path.lastIndexOf("/"));
            }
        }
        return "no folder beyond a path's length";
    }

    private static String uncountedMemory(AttackContext attackContext) throws Breach {
        refused("MAP_GROWSDOWN", SystemCall.make(Calls.MMAP, 0, GIB, READ_WRITE, GROWS_DOWN, -1, 0));
        try (Arena arena = Arena.ofConfined()) {
            long zero = arena.allocateFrom("/dev/zero").address();
            long fd = SystemCall.make(Calls.OPENAT, -100, zero, 0, 0);
            if (fd >= 0) {
                long mapped = SystemCall.make(Calls.MMAP, 0, GIB, 1, SHARED, fd, 0);
                SystemCall.make(Calls.CLOSE, fd);
                Breach.unless(mapped < 0, "mapped /dev/zero shared");
            }
        }
        List<Long> taken = new ArrayList<>();
        long pieceBytes = 16L << 20;
        long most = 6 * GIB / pieceBytes;
        try {
            while (taken.size() < most) {
                // Never written, so that nothing of the computer's is taken if there is no limit.
                long piece = SystemCall.make(Calls.MMAP, 0, pieceBytes, READ_WRITE, 0x4022, -1, 0);
                if (piece < 0) {
                    break;
                }
                taken.add(piece);
                SystemCall.make(Calls.MPROTECT, piece, pieceBytes, 1);
            }
            Breach.unless(taken.size() < most, "6 GiB protected, and more to come");
            return taken.size() * pieceBytes / (1L << 20) + " MiB protected, then refused";
        } finally {
            taken.forEach(piece -> SystemCall.make(Calls.MUNMAP, piece, pieceBytes));
        }
    }

    private static void refused(String what, long result) throws Breach {
        Breach.unless(result == EPERM || result == ENOSYS, what + " gave " + result);
    }
}
