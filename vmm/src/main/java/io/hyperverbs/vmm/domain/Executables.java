package io.hyperverbs.vmm.domain;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Room in a guest for executables of the computer: how many run verbs at a time, and the RAM that each of them has
 * besides the guest's own.
 *
 * @param count 0 for a guest that runs none
 */
public record Executables(int count, long memoryBytes) {
    /** Settings of a guest that has room for some. */
    public static final String COUNT_SETTING = "executables.count";

    public static final String MEMORY_SETTING = "executables.memory";

    /** Folder of the C libraries that they load, as the computer names it. */
    public static final String LIBRARIES_SETTING = "executables.libraries";

    /** In place of a program's class: what follows is an executable's command and its arguments. */
    public static final String PROGRAM = "!executable";

    /** None. */
    public static final Executables NONE = new Executables(0, 0);

    /** Folder of the C libraries that they load, if there is one. */
    static Optional<Path> libraries(Map<String, String> settings) {
        return Optional.ofNullable(settings.get(LIBRARIES_SETTING)).map(Path::of);
    }

    /** What a domain's settings say; {@link #NONE} if they say nothing. */
    public static Executables of(Map<String, String> settings) {
        String count = settings.get(COUNT_SETTING);
        String memory = settings.get(MEMORY_SETTING);
        return count == null || memory == null
                ? NONE
                : new Executables(Integer.parseInt(count), Long.parseLong(memory));
    }
}
