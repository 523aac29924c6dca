package io.hyperverbs.vmm.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A JVM to be started in a sandbox.
 *
 * @param classPath jars and folders, visible read-only
 * @param startArchive CDS archive of the class path, visible read-only
 * @param folder the one folder it sees. {@code out} in it may be written; of that {@link
 *     #KEPT_FILES} alone outlive the process where there are namespaces
 * @param uid the user it becomes in tier 2; otherwise not looked at
 * @param jvmOptions before the class path
 * @param mainClass gets {@code --folder PATH}, then {@code args}
 */
public record ConfinedJvm(
        Path javaHome,
        List<Path> classPath,
        Optional<Path> startArchive,
        Path folder,
        int uid,
        List<String> jvmOptions,
        String mainClass,
        List<String> args) {
    /** What the toolstack reads of a guest: its verb log, and the one before. */
    public static final List<String> KEPT_FILES = List.of("trace.log", "trace.log.1");

    public ConfinedJvm {
        classPath = List.copyOf(classPath);
        jvmOptions = List.copyOf(jvmOptions);
        args = List.copyOf(args);
    }
}
