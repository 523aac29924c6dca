package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.posix.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Attacks on the processes beside the guest's, whose true numbers and sockets it is told. */
public final class NeighbourAttacks {
    private static final String TARGETS = "VMM, device domain, guests";

    /** Process numbers that are tried one by one besides those that were told. */
    private static final int SCANNED = 40_000;

    private static final int SIGSTOP = 19;
    private static final int SIGKILL = 9;
    private static final int SIGQUIT = 3;

    private NeighbourAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                new IsolationCase(
                        "process.inspect",
                        "F7",
                        "reads memory, descriptors and environment of processes whose numbers it"
                                + " knows: /proc, ptrace, process_vm_readv, pidfd_getfd",
                        "same-uid processes read each other through /proc",
                        TARGETS,
                        "all denied",
                        NeighbourAttacks::inspect),
                new IsolationCase(
                        "process.signal",
                        "F9",
                        "stops, kills, slows down and limits processes whose numbers it knows, and"
                                + " "
                                + SCANNED
                                + " others",
                        "a user namespace alone does not stop kill",
                        TARGETS,
                        "all denied",
                        NeighbourAttacks::signal),
                new IsolationCase(
                        "process.attach",
                        "F8",
                        "attaches to the JVMs of others and looks for their counters",
                        "HotSpot attach: same uid and a file in /tmp load any code",
                        TARGETS,
                        "no socket, no counters, no signal",
                        NeighbourAttacks::attach),
                new IsolationCase(
                        "process.foreign-sockets",
                        "E2",
                        "connects to the sockets of the VMM and of other domains by their true" + " paths",
                        "Landlock does not judge Unix sockets",
                        TARGETS,
                        "not there, or denied",
                        NeighbourAttacks::sockets));
    }

    private static Map<String, Long> others(AttackContext context) throws VerbsException {
        Map<String, Long> pids = context.neighbours().pids();
        // In a sandbox of its own its number may be that of somebody outside.
        pids.values().remove(ProcessHandle.current().pid());
        return pids;
    }

    private static String inspect(AttackContext context) throws Breach, VerbsException {
        int tried = 0;
        Map<String, Long> others = others(context);
        for (Map.Entry<String, Long> other : others.entrySet()) {
            long pid = other.getValue();
            Path process = Path.of("/proc", Long.toString(pid));
            for (String file : List.of("mem", "environ", "maps", "auxv", "fd", "map_files", "root", "cwd")) {
                tried++;
                Breach.unless(!ProcessAttacks.opens(process.resolve(file)), file + " of " + other.getKey());
            }
            tried += debug(other.getKey(), pid, context.victim("alice").address());
        }
        return tried + " looks at " + others.size() + " processes, all denied";
    }

    private static int debug(String name, long pid, long address) throws Breach {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment stolen = arena.allocate(64);
            long own = vector(arena, stolen.address(), 64);
            long remote = vector(arena, address, 64);
            denied(name, "ptrace attach", SystemCall.make(Calls.PTRACE, 16, pid, 0, 0));
            denied(name, "ptrace seize", SystemCall.make(Calls.PTRACE, 0x4206, pid, 0, 0));
            denied(name, "process_vm_readv", SystemCall.make(Calls.PROCESS_VM_READV, pid, own, 1, remote, 1, 0));
            denied(name, "process_vm_writev", SystemCall.make(Calls.PROCESS_VM_WRITEV, pid, own, 1, remote, 1, 0));
            denied(name, "kcmp", SystemCall.make(Calls.KCMP, pid, pid, 0, 0, 1));
            long handle = SystemCall.make(Calls.PIDFD_OPEN, pid, 0);
            for (int fd = 0; handle >= 0 && fd < 64; fd++) {
                denied(name, "pidfd_getfd " + fd, SystemCall.make(Calls.PIDFD_GETFD, handle, fd, 0));
            }
            if (handle >= 0) {
                SystemCall.make(Calls.CLOSE, handle);
            }
        }
        return 6;
    }

    private static long vector(Arena arena, long address, long lengthBytes) {
        MemorySegment vector = arena.allocate(16, 8);
        vector.set(ValueLayout.JAVA_LONG, 0, address);
        vector.set(ValueLayout.JAVA_LONG, 8, lengthBytes);
        return vector.address();
    }

    private static void denied(String name, String what, long result) throws Breach {
        Breach.unless(result < 0, what + " of " + name + " gave " + result);
    }

    private static String signal(AttackContext context) throws Breach, VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment zeros = arena.allocate(256);
            // A limit of no processor time, an empty set of processors, the lowest priority.
            long none = zeros.address();
            for (Map.Entry<String, Long> other : others(context).entrySet()) {
                String name = other.getKey();
                long pid = other.getValue();
                for (int signal : new int[] {0, SIGSTOP, SIGKILL}) {
                    denied(name, "kill", SystemCall.make(Calls.KILL, pid, signal));
                    denied(name, "tgkill", SystemCall.make(Calls.TGKILL, pid, pid, signal));
                    denied(name, "tkill", SystemCall.make(Calls.TKILL, pid, signal));
                    denied(name, "rt_sigqueueinfo", SystemCall.make(Calls.RT_SIGQUEUEINFO, pid, signal, none));
                }
                denied(name, "setpriority", SystemCall.make(Calls.SETPRIORITY, 0, pid, 19));
                denied(name, "ioprio_set", SystemCall.make(Calls.IOPRIO_SET, 1, pid, 0x6007));
                denied(name, "sched_setaffinity", SystemCall.make(Calls.SCHED_SETAFFINITY, pid, 8, none));
                denied(name, "sched_setscheduler", SystemCall.make(Calls.SCHED_SETSCHEDULER, pid, 5, none));
                denied(name, "prlimit64", SystemCall.make(Calls.PRLIMIT64, pid, 0, none, 0));
            }
        }
        long own = ProcessHandle.current().pid();
        for (int pid = 1; pid < SCANNED; pid++) {
            if (pid != own) {
                denied("process " + pid, "SIGSTOP", SystemCall.make(Calls.KILL, pid, SIGSTOP));
            }
        }
        return "those it knows, and " + SCANNED + " more, all denied";
    }

    private static String attach(AttackContext context) throws Breach, VerbsException {
        for (Map.Entry<String, Long> other : others(context).entrySet()) {
            String name = other.getKey();
            long pid = other.getValue();
            Path process = Path.of("/proc", Long.toString(pid));
            for (Path folder : List.of(process.resolve("cwd"), process.resolve("root/tmp"), Path.of("/tmp"))) {
                // In its own /tmp it may write what it likes.
                boolean own = folder.startsWith("/tmp");
                Breach.unless(
                        own || !writes(folder.resolve(".attach_pid" + pid)),
                        "asked " + name + " to listen, in " + folder);
                Breach.unless(!Files.exists(folder.resolve(".java_pid" + pid)), name + " listens in " + folder);
            }
            denied(name, "SIGQUIT", SystemCall.make(Calls.KILL, pid, SIGQUIT));
        }
        try (Stream<Path> counters = Files.list(Path.of("/tmp"))) {
            List<Path> found = counters.filter(
                            path -> path.getFileName().toString().startsWith("hsperfdata"))
                    .toList();
            Breach.unless(found.isEmpty(), "sees " + found);
        } catch (IOException denied) {
            // It may not even look.
        }
        return "none to be attached to";
    }

    private static boolean writes(Path file) {
        try {
            Files.writeString(file, "");
            Files.deleteIfExists(file);
            return true;
        } catch (IOException denied) {
            return false;
        }
    }

    private static String sockets(AttackContext context) throws Breach, VerbsException {
        List<Path> sockets = context.neighbours().sockets();
        for (Path path : sockets) {
            try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                Breach.unless(!socket.connect(UnixDomainSocketAddress.of(path)), "connected to " + path);
            } catch (IOException denied) {
                // Not there for it, or no socket may be made.
            }
        }
        return sockets.size() + " paths, none leads to a socket";
    }
}
