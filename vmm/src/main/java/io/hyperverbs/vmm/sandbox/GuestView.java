package io.hyperverbs.vmm.sandbox;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a guest sees: names of its files, and the last part of its command line. */
final class GuestView {
    static final String ROOT = "/hv";
    static final String JDK = "/hv/jdk";
    static final String LIBRARIES = "/hv/lib";
    static final String START_ARCHIVE = "/hv/start.jsa";

    /** C libraries that executables load in place of the computer's. */
    static final String EXECUTABLE_LIBRARIES = "/hv/native";

    static final String FOLDER = "/hv/run";
    static final String OUT = FOLDER + "/out";

    /** Not /dev/zero: what is mapped from it shared is memory that no limit counts. */
    private static final List<String> DEVICES = List.of("/dev/null", "/dev/random", "/dev/urandom");

    /** Where libraries look for shared memory and for network devices: what is in it comes from the guest alone. */
    static final String SHARED_MEMORY = "/dev/shm";

    static final String NETWORK_DEVICES = "/sys/class/net";

    /** The kernel's, of which some belong to the user who made the namespaces. */
    static final String SETTINGS = "/proc/sys";

    /** UCX takes no device whose node it may not write; it never opens this one. */
    private static final String VERBS_DEVICE = "/dev/infiniband/uverbs0";

    /** Room in the private /tmp. */
    static final long TMP_BYTES = 64L << 20;

    /** Room in the private {@code out}. */
    static final long OUT_BYTES = 64L << 20;

    /** The largest file. */
    private static final long MAX_FILE_BYTES = 64L << 20;

    /**
     * Private memory that may be written: heap, direct buffers, code, classes and stacks. A guest
     * has 150 MiB of it as it starts; its RAM is the machine's and does not count.
     */
    private static final long MAX_DATA_BYTES = 1L << 30;

    /**
     * Addresses of any kind besides the machine's memory. A JVM reserves 2.6 GiB of them for heap,
     * classes and code; what is left bounds memory that no longer counts as data once it may not be
     * written, and the page tables of what is read alone.
     */
    private static final long MAX_ADDRESS_BYTES = 4L << 30;

    private static final int MAX_DESCRIPTORS = 1024;

    /** Threads count, of which a JVM with gRPC has about thirty. */
    private static final int MAX_PROCESSES = 1024;

    /** On Debian many names in /usr/bin are links by way of this folder. */
    private static final Path ALTERNATIVES = Path.of("/etc/alternatives");

    private static final List<Path> SYSTEM_LINKS =
            List.of(Path.of("/bin"), Path.of("/lib"), Path.of("/lib64"), Path.of("/sbin"));

    private GuestView() {}

    /**
     * Where the class path's entries are, in its order. They keep their names; of two with one name
     * the later gets its index in front.
     */
    static List<String> libraries(ConfinedJvm jvm) {
        List<String> libraries = new ArrayList<>();
        for (Path entry : jvm.classPath()) {
            String library = LIBRARIES + "/" + entry.getFileName();
            libraries.add(
                    libraries.contains(library)
                            ? LIBRARIES + "/" + libraries.size() + "-" + entry.getFileName()
                            : library);
        }
        return libraries;
    }

    /** A file or folder of the computer, and where a guest sees it: read-only but for devices. */
    record Shown(Path path, String view) {}

    /** Device nodes. */
    static List<Shown> devices(ConfinedJvm jvm) {
        List<Shown> devices = new ArrayList<>();
        DEVICES.forEach(device -> devices.add(new Shown(Path.of(device), device)));
        if (jvm.executables().isPresent()) {
            devices.add(new Shown(Path.of(DEVICES.getFirst()), VERBS_DEVICE));
        }
        return devices;
    }

    /** What its JVM loads: the JDK, the class path, the start archive if there is one. */
    static List<Shown> loaded(ConfinedJvm jvm) {
        List<Shown> loaded = new ArrayList<>();
        loaded.add(new Shown(jvm.javaHome(), JDK));
        List<String> libraries = libraries(jvm);
        for (int i = 0; i < libraries.size(); i++) {
            loaded.add(new Shown(jvm.classPath().get(i), libraries.get(i)));
        }
        jvm.startArchive().ifPresent(file -> loaded.add(new Shown(file, START_ARCHIVE)));
        jvm.executables().ifPresent(view -> {
            view.libraries().ifPresent(folder -> loaded.add(new Shown(folder, EXECUTABLE_LIBRARIES)));
            if (Files.isDirectory(ALTERNATIVES)) {
                loaded.add(new Shown(ALTERNATIVES, ALTERNATIVES.toString()));
            }
            GuestNetwork.files().forEach(file -> loaded.add(new Shown(GuestNetwork.placeOf(view.shown(), file), file)));
        });
        return loaded;
    }

    /** What puts a command into the network that the guest joins; nothing for a guest with one of its own. */
    static List<String> joinNetwork(ConfinedJvm jvm, SandboxTier tier) {
        return network(jvm)
                .map(namespace -> KeptNamespace.enter(namespace, tier))
                .orElse(List.of());
    }

    /** The network namespace that the guest joins, if it has none of its own. */
    static Optional<Path> network(ConfinedJvm jvm) {
        return jvm.executables().flatMap(ExecutableView::network);
    }

    /** Limits, and the JVM itself. */
    static List<String> limitedJvm(ConfinedJvm jvm) {
        List<String> command = new ArrayList<>(limitsOfAProcess(jvm));
        // Counted for each user in each user namespace, so for each guest.
        command.add("--nproc=" + MAX_PROCESSES);
        command.addAll(jvm(jvm));
        return command;
    }

    /** What the kernel counts for each process alone. */
    static List<String> limitsOfAProcess(ConfinedJvm jvm) {
        return List.of(
                Tools.get("prlimit"),
                "--core=0",
                "--nofile=" + MAX_DESCRIPTORS,
                "--data=" + MAX_DATA_BYTES,
                "--as=" + (MAX_ADDRESS_BYTES + jvm.memoryBytes()),
                "--fsize=" + MAX_FILE_BYTES);
    }

    private static List<String> jvm(ConfinedJvm jvm) {
        Optional<String> archive = jvm.startArchive().map(_ -> START_ARCHIVE);
        return jvm(jvm, JDK, libraries(jvm), archive, FOLDER);
    }

    /** The JVM where files have their own names. */
    static List<String> jvmOutside(ConfinedJvm jvm) {
        return jvm(
                jvm,
                jvm.javaHome().toString(),
                jvm.classPath().stream().map(Path::toString).toList(),
                jvm.startArchive().map(Path::toString),
                jvm.folder().toString());
    }

    private static List<String> jvm(
            ConfinedJvm jvm, String javaHome, List<String> classPath, Optional<String> startArchive, String folder) {
        List<String> command = new ArrayList<>();
        command.add(javaHome + "/bin/java");
        command.addAll(jvm.jvmOptions());
        startArchive.ifPresent(file -> command.addAll(StartArchive.use(file)));
        if (!classPath.isEmpty()) {
            command.add("-cp");
            command.add(String.join(":", classPath));
        }
        command.add(jvm.mainClass());
        command.add("--folder");
        command.add(folder);
        command.addAll(jvm.args());
        return command;
    }

    /** Top-level folders of the system besides /usr: most are links into it. */
    static List<Path> systemLinks() {
        return SYSTEM_LINKS.stream()
                .filter(path -> Files.exists(path, LinkOption.NOFOLLOW_LINKS))
                .toList();
    }

    /** Becomes the domain's own user, and gives up all privileges for good. */
    static List<String> dropToUser(int uid) {
        return List.of(
                Tools.get("setpriv"),
                "--pdeathsig",
                "KILL",
                "--reuid",
                Integer.toString(uid),
                "--regid",
                Integer.toString(uid),
                "--clear-groups",
                "--no-new-privs",
                "--inh-caps=-all",
                "--bounding-set=-all");
    }

    /** Gives up all privileges for good. */
    static List<String> dropPrivileges() {
        return List.of(
                Tools.get("setpriv"),
                "--pdeathsig",
                "KILL",
                "--no-new-privs",
                "--inh-caps=-all",
                "--bounding-set=-all");
    }

    /** Rights that an ordinary user without privileges can give up. */
    static List<String> giveUpNew() {
        return List.of(Tools.get("setpriv"), "--pdeathsig", "KILL", "--no-new-privs", "--inh-caps=-all");
    }

    /** Dies when the thread that started it ends. */
    static List<String> dieWithParent() {
        return List.of(Tools.get("setpriv"), "--pdeathsig", "KILL");
    }
}
