package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.RawSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the process itself may reach. */
public final class ProcessAttacks {
    private static final List<String> OTHERS = List.of("DeviceDomainMain", "VmmMain", "MachineMain", "GuestMain");

    private ProcessAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                new IsolationCase(
                        "process.others",
                        "F7",
                        "looks for other domains in /proc and opens their memory, descriptors and" + " environment",
                        "same-uid processes read each other through /proc",
                        "VMM, device domain, guests",
                        "none is visible, or all is denied",
                        ProcessAttacks::others),
                new IsolationCase(
                        "process.kill",
                        "F9",
                        "sends signals to every process it can name",
                        "a user namespace alone does not stop kill",
                        "VMM, device domain, guests",
                        "none dies",
                        ProcessAttacks::kill),
                new IsolationCase(
                        "process.sockets",
                        "E2",
                        "looks for other domains' sockets beside its own",
                        "Firecracker jailer",
                        "guests",
                        "none is there",
                        ProcessAttacks::sockets),
                new IsolationCase(
                        "process.rights",
                        "F10",
                        "looks for rights it was left: capabilities, setuid programs, system calls",
                        "Firecracker seccomp filters",
                        "the kernel",
                        "no capability, no new privileges, a filter of system calls",
                        ProcessAttacks::rights),
                new IsolationCase(
                        "process.network",
                        "T15",
                        "looks for a network and connects to ports of this computer",
                        "Firecracker jailer",
                        "the computer",
                        "no network",
                        ProcessAttacks::network),
                new IsolationCase(
                        "process.files",
                        "F12",
                        "writes outside its folder, and looks for journals and sockets",
                        "Firecracker jailer",
                        "the computer",
                        "read-only or not there",
                        ProcessAttacks::files));
    }

    private static List<Path> strangers() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .filter(path -> !path.getFileName().toString().equals(ownPid()))
                    .toList();
        } catch (AccessDeniedException denied) {
            return List.of();
        }
    }

    private static String ownPid() {
        return Long.toString(ProcessHandle.current().pid());
    }

    private static String others(AttackContext context) throws IOException, Breach {
        List<Path> strangers = strangers();
        String own = RawSocket.folder().toString();
        for (Path process : strangers) {
            String line = readable(process.resolve("cmdline"));
            boolean isDomain = OTHERS.stream().anyMatch(line::contains);
            // The first process of its own sandbox names its folder; it is its own to open.
            if (!isDomain || line.contains(own)) {
                continue;
            }
            for (String file : List.of("mem", "environ", "maps", "map_files", "fd")) {
                Path path = process.resolve(file);
                Breach.unless(
                        !opens(path),
                        "opened " + path + " of " + line.replace('\0', ' ').strip());
            }
        }
        return strangers.size() + " other processes visible, none of them open";
    }

    /** Whether a file can be read, or a folder listed with something in it. */
    static boolean opens(Path path) {
        try {
            if (Files.isDirectory(path)) {
                try (Stream<Path> entries = Files.list(path)) {
                    return entries.findAny().isPresent();
                }
            }
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
                return file.isOpen();
            }
        } catch (IOException denied) {
            return false;
        }
    }

    private static String readable(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException denied) {
            return "";
        }
    }

    private static String kill(AttackContext context) throws IOException {
        // The first process of its own sandbox is of its own tree: ending that is no attack.
        long parent = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
        int signalled = 0;
        for (Path process : strangers()) {
            long pid = Long.parseLong(process.getFileName().toString());
            if (pid != 1 && pid != parent) {
                boolean sent = ProcessHandle.of(pid)
                        .map(ProcessHandle::destroyForcibly)
                        .orElse(false);
                signalled += sent ? 1 : 0;
            }
        }
        return signalled + " processes could be signalled, and all others live";
    }

    private static String sockets(AttackContext context) throws IOException, Breach {
        Path own = RawSocket.folder();
        List<String> found = new ArrayList<>();
        Path beside = own.getParent();
        if (beside != null && Files.isReadable(beside)) {
            try (Stream<Path> all = Files.walk(beside, 3)) {
                all.filter(path -> path.toString().endsWith(".sock"))
                        .filter(path -> !path.startsWith(own))
                        .forEach(path -> found.add(path.toString()));
            } catch (AccessDeniedException | UncheckedIOException denied) {
                // Part of it cannot be read: as it should be.
            }
        }
        Breach.unless(found.isEmpty(), "sees " + found);
        return "only its own";
    }

    private static String rights(AttackContext context) throws IOException, Breach {
        List<String> status = Files.readAllLines(Path.of("/proc/self/status"));
        for (String line :
                List.of("CapEff:\t0000000000000000", "CapPrm:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2")) {
            String name = line.substring(0, line.indexOf('\t'));
            Breach.unless(
                    status.contains(line),
                    status.stream().filter(l -> l.startsWith(name)).findFirst().orElse(name + "?"));
        }
        return "none left";
    }

    private static String network(AttackContext context) throws IOException, Breach {
        List<String> up = new ArrayList<>();
        try {
            for (NetworkInterface hca : NetworkInterface.networkInterfaces().toList()) {
                if (hca.isUp() && !hca.isLoopback()) {
                    up.add(hca.getName());
                }
            }
        } catch (SocketException denied) {
            // It may not even make the socket to ask with.
        }
        Breach.unless(up.isEmpty(), "network cards " + up);
        try (SocketChannel socket = SocketChannel.open()) {
            boolean connected = socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 22));
            Breach.unless(!connected, "connected to port 22 of this computer");
        } catch (IOException refused) {
            // No network, or nobody there: as it should be.
        }
        return "no network device is up";
    }

    private static String files(AttackContext context) throws Breach {
        for (String folder : List.of("/", "/etc", "/usr", "/root", "/home", "/var/tmp")) {
            Path file = Path.of(folder, "hv-attack");
            try {
                Files.writeString(file, "x");
                Files.delete(file);
                throw new Breach("wrote " + file);
            } catch (IOException denied) {
                // Read-only, or not there.
            }
        }
        return "nothing outside can be written";
    }
}
