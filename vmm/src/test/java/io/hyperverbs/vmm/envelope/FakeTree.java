package io.hyperverbs.vmm.envelope;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Trees of groups in a temporary folder, which do what the kernel does with those of its own. */
final class FakeTree extends GroupTree {
    private static final List<String> V1_FILES = List.of(
            "cpu.shares",
            "cpuset.cpus",
            "cpuset.mems",
            "memory.limit_in_bytes",
            "memory.memsw.limit_in_bytes",
            "memory.oom_control",
            "pids.max");

    private final Path root;
    private final Set<Path> readOnly = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final StringBuilder mounts = new StringBuilder();
    private final StringBuilder own = new StringBuilder();

    FakeTree(Path root) {
        this.root = root;
    }

    Path proc() throws IOException {
        Path proc = Files.createDirectories(root.resolve("proc"));
        Files.writeString(proc.resolve("mountinfo"), "20 1 0:1 / / rw - ext4 /dev/x rw\n" + mounts);
        Files.writeString(proc.resolve("cgroup"), own);
        return proc;
    }

    /** A tree of version 1, in whose group {@code group} this process is. */
    Path v1(String controllers, String mountedGroup, String group) throws IOException {
        Path point = root.resolve("v1-" + controllers);
        Path home = point.resolve(group.substring(mountedGroup.length()).replaceFirst("^/", ""));
        Files.createDirectories(home);
        fillV1(home);
        mount("cgroup", point, mountedGroup, "rw," + controllers);
        own.append("5:").append(controllers).append(':').append(group).append('\n');
        return home;
    }

    /**
     * The tree of version 2; this process is in {@code group}, alone unless others are put there.
     */
    Path v2(String controllers, String group) throws IOException {
        Path point = Files.createDirectories(root.resolve("v2"));
        Files.writeString(point.resolve("cgroup.controllers"), controllers);
        Files.writeString(point.resolve("cgroup.subtree_control"), controllers);
        Files.writeString(point.resolve(MEMBERS), "");
        Path home = point;
        for (String name : group.substring(1).split("/")) {
            home = home.resolve(name);
            if (!name.isEmpty()) {
                make(home);
                Files.writeString(home.resolve("cgroup.subtree_control"), controllers);
            }
        }
        Files.writeString(home.resolve("cgroup.subtree_control"), "");
        Files.writeString(home.resolve(MEMBERS), ProcessHandle.current().pid() + "\n");
        mount("cgroup2", point, "/", "rw");
        own.append("0::").append(group).append('\n');
        return home;
    }

    private void mount(String type, Path point, String mountedGroup, String options) {
        mounts.append("30 20 0:5 ").append(mountedGroup).append(' ').append(point);
        mounts.append(" rw,nosuid shared:4 - ").append(type).append(" none ").append(options);
        mounts.append('\n');
    }

    void forbid(Path path) {
        readOnly.add(path);
    }

    /** A process that is listed and ends before it can be moved. */
    void end(long pid) {
        ended.add(Long.toString(pid));
    }

    String at(Path group, String file) throws IOException {
        return Files.readString(group.resolve(file)).strip();
    }

    private static void fillV1(Path group) throws IOException {
        for (String file : V1_FILES) {
            Files.writeString(group.resolve(file), "");
        }
        Files.writeString(group.resolve("cpuset.cpus"), "0-3");
        Files.writeString(group.resolve("cpuset.mems"), "0");
        Files.writeString(group.resolve("memory.oom_control"), "under_oom 0\noom_kill 0\n");
        Files.writeString(group.resolve(MEMBERS), "");
    }

    @Override
    void make(Path group) throws IOException {
        super.make(group);
        if (!group.startsWith(root.resolve("v2"))) {
            fillV1(group);
            // As the kernel has them in a new group.
            Files.writeString(group.resolve("cpuset.cpus"), "");
            Files.writeString(group.resolve("cpuset.mems"), "");
            return;
        }
        Path parent = group.getParent();
        String available = read(parent.resolve("cgroup.subtree_control"));
        Files.writeString(group.resolve("cgroup.controllers"), available);
        Files.writeString(group.resolve("cgroup.subtree_control"), "");
        Files.writeString(group.resolve("cgroup.type"), "domain\n");
        Files.writeString(group.resolve(MEMBERS), "");
        if (available.contains("memory")) {
            for (String file : List.of("memory.max", "memory.swap.max", "memory.oom.group")) {
                Files.writeString(group.resolve(file), "");
            }
            Files.writeString(group.resolve("memory.events"), "oom 0\noom_kill 0\n");
        }
        if (available.contains("cpuset")) {
            Files.writeString(group.resolve("cpuset.cpus"), "");
        }
        if (available.matches(".*\\bcpu\\b.*")) {
            Files.writeString(group.resolve("cpu.weight"), "100");
        }
        if (available.contains("pids")) {
            Files.writeString(group.resolve("pids.max"), "max");
        }
    }

    @Override
    void remove(Path group) throws IOException {
        try (Stream<Path> entries = Files.list(group)) {
            for (Path file : entries.toList()) {
                if (Files.isDirectory(file) || !read(group.resolve(MEMBERS)).isEmpty()) {
                    throw new FileSystemException(group.toString(), null, "Device or resource busy");
                }
            }
        }
        try (Stream<Path> entries = Files.list(group)) {
            for (Path file : entries.toList()) {
                Files.delete(file);
            }
        }
        super.remove(group);
    }

    @Override
    boolean isWritable(Path path) {
        return Files.exists(path) && readOnly.stream().noneMatch(path::startsWith);
    }

    @Override
    void write(Path file, String value) throws IOException {
        if (!isWritable(file)) {
            throw new IOException("permission denied: " + file);
        }
        switch (file.getFileName().toString()) {
            case "cgroup.subtree_control" -> handOn(file, value.substring(1));
            case MEMBERS -> enter(file, value);
            default -> Files.writeString(file, value);
        }
    }

    private void handOn(Path file, String controller) throws IOException {
        Path group = file.getParent();
        if (Files.exists(group.resolve("cgroup.type")) && !members(group).isEmpty()) {
            throw new FileSystemException(file.toString(), null, "Device or resource busy");
        }
        if (!List.of(read(group.resolve("cgroup.controllers")).split(" ")).contains(controller)) {
            throw new IOException("no such controller: " + controller);
        }
        Files.writeString(file, (read(file) + " " + controller).strip());
    }

    private void enter(Path file, String pid) throws IOException {
        Path group = file.getParent();
        if (ended.remove(pid)) {
            leaveAll(group, pid);
            throw new FileSystemException(file.toString(), null, "No such process");
        }
        if (Files.exists(group.resolve("cgroup.type"))
                && !read(group.resolve("cgroup.subtree_control")).isEmpty()) {
            throw new FileSystemException(file.toString(), null, "Device or resource busy");
        }
        leaveAll(group, pid);
        Files.writeString(file, (read(file) + "\n" + pid).strip());
    }

    private void leaveAll(Path group, String pid) throws IOException {
        try (Stream<Path> all = Files.walk(tree(group))) {
            for (Path members : all.filter(one -> one.endsWith(MEMBERS)).toList()) {
                List<String> left = new ArrayList<>(read(members).lines().toList());
                if (left.remove(pid)) {
                    Files.writeString(members, String.join("\n", left));
                }
            }
        }
    }

    private Path tree(Path group) {
        return root.resolve(root.relativize(group).getName(0));
    }
}
