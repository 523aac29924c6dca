package io.hyperverbs.vmm.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Namespaces made by bubblewrap: the guest sees the system's programs, the JDK, its class path and
 * its folder, all read-only, and a private {@code out}, /tmp, /proc and /dev. No network.
 */
final class BubblewrapSandbox implements Sandbox {
    private final SandboxTier tier;

    BubblewrapSandbox(SandboxTier tier) {
        this.tier = tier;
    }

    @Override
    public SandboxTier tier() {
        return tier;
    }

    @Override
    public String description() {
        return tier == SandboxTier.ROOT ? "bwrap + setpriv" : "bwrap, user namespace";
    }

    @Override
    public String maker() {
        return "bwrap";
    }

    @Override
    public List<String> command(ConfinedJvm jvm) {
        List<String> command = new ArrayList<>();
        command.addAll(GuestView.joinNetwork(jvm, tier));
        command.add(Tools.get("bwrap"));
        command.addAll(List.of("--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"));
        if (GuestView.network(jvm).isEmpty()) {
            command.add("--unshare-net");
        }
        if (tier == SandboxTier.USER) {
            command.add("--unshare-user");
            if (GuestView.network(jvm).isPresent()) {
                // Root's number in the user namespace of the network is no guest's.
                command.addAll(List.of("--uid", user("uid"), "--gid", user("gid")));
            }
            command.addAll(List.of("--cap-drop", "ALL"));
        }
        jvm.executables().ifPresent(view -> command.addAll(List.of("--hostname", view.host())));
        // No session of its own: the VMM has left the terminal, and where the kernel schedules
        // session by session, a yield does not pass the core on from one session to another.
        command.addAll(List.of("--die-with-parent", "--clearenv"));
        addSystem(command, jvm);
        addOwnFiles(command, jvm);
        // Root's bwrap keeps its privileges so that setpriv can change the user.
        if (tier == SandboxTier.ROOT) {
            command.addAll(GuestView.dropToUser(jvm.uid()));
        }
        command.addAll(GuestView.limitedJvm(jvm));
        return command;
    }

    /** A number of this process's user. */
    private static String user(String kind) {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:" + kind).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void addSystem(List<String> command, ConfinedJvm jvm) {
        command.addAll(List.of("--ro-bind", "/usr", "/usr"));
        for (Path path : GuestView.systemLinks()) {
            try {
                if (Files.isSymbolicLink(path)) {
                    String target = Files.readSymbolicLink(path).toString();
                    command.addAll(List.of("--symlink", target, path.toString()));
                } else {
                    command.addAll(List.of("--ro-bind", path.toString(), path.toString()));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        if (jvm.executables().isPresent()) {
            for (String file : GuestNetwork.files()) {
                makeFolder(command, file);
            }
        }
        command.addAll(List.of("--ro-bind-try", "/etc/localtime", "/etc/localtime"));
        command.addAll(List.of("--proc", "/proc"));
        // Settings of the network that guests join are the user's who started them all, whom they are in tier 1.
        command.addAll(List.of("--ro-bind", GuestView.SETTINGS, GuestView.SETTINGS));
        command.addAll(List.of("--tmpfs", "/dev"));
        for (GuestView.Shown device : GuestView.devices(jvm)) {
            makeFolder(command, device.view());
            command.addAll(List.of("--dev-bind", device.path().toString(), device.view()));
        }
        if (jvm.executables().isPresent()) {
            command.addAll(List.of("--symlink", "/tmp", GuestView.SHARED_MEMORY, "--dir", GuestView.NETWORK_DEVICES));
        }
        // It is a file system in memory without a limit.
        command.addAll(List.of("--remount-ro", "/dev"));
        command.addAll(List.of("--perms", "1777", "--size", Long.toString(GuestView.TMP_BYTES)));
        command.addAll(List.of("--tmpfs", "/tmp"));
    }

    /** The folder of a file that is to be shown: one that bwrap makes unasked is closed to other users. */
    private static void makeFolder(List<String> command, String file) {
        command.addAll(List.of("--dir", file.substring(0, file.lastIndexOf('/'))));
    }

    private static void addOwnFiles(List<String> command, ConfinedJvm jvm) {
        for (String folder : List.of(GuestView.ROOT, GuestView.LIBRARIES)) {
            command.addAll(List.of("--dir", folder));
        }
        for (GuestView.Shown shown : GuestView.loaded(jvm)) {
            command.addAll(List.of("--ro-bind", shown.path().toString(), shown.view()));
        }
        command.addAll(List.of("--ro-bind", jvm.folder().toString(), GuestView.FOLDER));
        command.addAll(List.of("--perms", "1777", "--size", Long.toString(GuestView.OUT_BYTES)));
        command.addAll(List.of("--tmpfs", GuestView.OUT));
        command.addAll(List.of("--chdir", GuestView.FOLDER, "--remount-ro", "/"));
    }
}
