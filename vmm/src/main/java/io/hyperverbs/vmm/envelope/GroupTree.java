package io.hyperverbs.vmm.envelope;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The kernel's tree of control groups: a group is a folder, and the kernel puts its files there. A
 * test puts another one in its place, which does what the kernel would.
 */
class GroupTree {
    static final String MEMBERS = "cgroup.procs";

    /** Makes a group; FileAlreadyExistsException if it is there. */
    void make(Path group) throws IOException {
        Files.createDirectory(group);
    }

    /** Removes a group without groups and processes in it, or nothing. */
    void remove(Path group) throws IOException {
        Files.deleteIfExists(group);
    }

    boolean has(Path file) {
        return Files.exists(file);
    }

    /** Whether this process may write to a file, or make groups in a group. */
    boolean isWritable(Path path) {
        return Files.isWritable(path);
    }

    /** Without the white space around it. */
    String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    /** One write, as the kernel wants it, to a file that is there. */
    void write(Path file, String value) throws IOException {
        Files.writeString(file, value, StandardOpenOption.WRITE);
    }

    /** Processes of a group itself, those of its groups not among them. */
    List<Long> members(Path group) throws IOException {
        return read(group.resolve(MEMBERS))
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(Long::parseLong)
                .toList();
    }

    /** Moves a process with all its threads. */
    void move(long pid, Path group) throws IOException {
        write(group.resolve(MEMBERS), Long.toString(pid));
    }
}
