package io.hyperverbs.vmm.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A JVM to be started in a sandbox.
 *
 * @param classPath jars and folders, visible read-only
 * @param startArchive CDS archive of the class path, visible read-only
 * @param executables what executables of the computer see in this guest; empty if it runs none
 * @param folder the one folder it sees. Where there are namespaces {@code out} in it is a file
 *     system in memory that may be written; elsewhere it may not
 * @param memoryBytes of the machine's memory that it maps
 * @param uid the user it becomes in tier 2; otherwise not looked at
 * @param jvmOptions before the class path
 * @param mainClass gets {@code --folder PATH}, then {@code args}
 */
public record ConfinedJvm(
        Path javaHome,
        List<Path> classPath,
        Optional<Path> startArchive,
        Optional<ExecutableView> executables,
        Path folder,
        long memoryBytes,
        int uid,
        List<String> jvmOptions,
        String mainClass,
        List<String> args) {
    public ConfinedJvm {
        classPath = List.copyOf(classPath);
        jvmOptions = List.copyOf(jvmOptions);
        args = List.copyOf(args);
    }
}
