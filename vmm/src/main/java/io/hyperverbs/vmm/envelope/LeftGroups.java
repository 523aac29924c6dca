package io.hyperverbs.vmm.envelope;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The note of a machine's groups in its state folder: a VMM that was killed leaves groups, and who
 * cleans up after it finds them by this, and no others.
 */
public final class LeftGroups {
    /** The note's name in a state folder. */
    public static final String FILE = "groups";

    /** All groups that we make begin with it. */
    static final String PREFIX = "hyperverbs-";

    private LeftGroups() {}

    static void note(Path state, List<Path> groups) throws IOException {
        Files.writeString(
                state.resolve(FILE), groups.stream().map(path -> path + "\n").collect(Collectors.joining()));
    }

    /** Removes the groups of a machine whose VMM is dead, with what still runs in them. */
    public static void remove(Path state) throws IOException {
        Path note = state.resolve(FILE);
        if (!Files.isRegularFile(note, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        GroupRemoval removal = new GroupRemoval(new GroupTree());
        for (String line : Files.readAllLines(note, StandardCharsets.UTF_8)) {
            Path group = Path.of(line).normalize();
            Path name = group.getFileName();
            // A note that somebody else wrote removes nothing else.
            if (group.isAbsolute()
                    && name != null
                    && name.toString().startsWith(PREFIX)
                    && Files.exists(group.resolve(GroupTree.MEMBERS))) {
                boolean _ = removal.remove(group);
            }
        }
    }
}
