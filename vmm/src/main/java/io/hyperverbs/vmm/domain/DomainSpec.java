package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.hypercall.Boot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What to start.
 *
 * @param name 1 to 64 letters, digits or {@code . _ -}; not tool or vmm, and backend for a device
 *     domain alone
 * @param memoryBytes RAM, rounded up to whole frames; 0 for the backend
 * @param classPath jars and folders, visible read-only
 * @param startArchive classes of the class path as a JVM has them once loaded (a CDS archive), for
 *     a faster start
 * @param mainClass of the process; of the program for a native domain
 * @param settings for the domain and the backend
 */
public record DomainSpec(
        String name,
        DomainKind kind,
        long memoryBytes,
        List<Path> classPath,
        Optional<Path> startArchive,
        List<String> jvmOptions,
        String mainClass,
        List<String> args,
        Map<String, String> settings) {
    /** A guest with this setting has as standard input what the toolstack sends it. */
    public static final String INPUT_SETTING = "input";

    public DomainSpec {
        classPath = List.copyOf(classPath);
        jvmOptions = List.copyOf(jvmOptions);
        args = List.copyOf(args);
        settings = Map.copyOf(settings);
    }

    /** Name of the HCA that it owns or uses. */
    public String hca() {
        return Boot.hca(settings);
    }
}
