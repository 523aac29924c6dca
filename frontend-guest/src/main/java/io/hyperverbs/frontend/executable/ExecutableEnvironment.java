package io.hyperverbs.frontend.executable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What executables start with: environment variables by which they load our C libraries, and a domain of their own. */
public final class ExecutableEnvironment {
    /** As the sandbox shows them. */
    private static final Path LIBRARIES = Path.of("/hv/native");

    private static final Path MEMORY_LIBRARY = LIBRARIES.resolve("libhvmemory.so");

    private static final Path STARTER = LIBRARIES.resolve("hv-apart");

    /** Folders of a Linux system with the allocator whose mappings our library can serve. */
    private static final List<Path> SYSTEM_LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu"),
            Path.of("/usr/lib/aarch64-linux-gnu"),
            Path.of("/usr/lib64"),
            Path.of("/usr/lib"));

    /** What makes an executable's heap of mappings that can be registered. */
    public static final String ALLOCATOR = "libmimalloc.so.2";

    private ExecutableEnvironment() {}

    /** The variables, with the driver's socket. */
    public static Map<String, String> variables(Path socket) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("HV_VERBS_SOCKET", socket.toString());
        variables.put("LD_LIBRARY_PATH", LIBRARIES.toString());
        List<String> preloaded = new ArrayList<>();
        if (Files.exists(MEMORY_LIBRARY)) {
            preloaded.add(MEMORY_LIBRARY.toString());
            allocator().map(Path::toString).ifPresent(preloaded::add);
        }
        if (!preloaded.isEmpty()) {
            variables.put("LD_PRELOAD", String.join(":", preloaded));
        }
        // Memory that it gives back to a shared file would still hold what was in it.
        variables.put("MIMALLOC_PAGE_RESET", "0");
        variables.put("MIMALLOC_ALLOW_DECOMMIT", "0");
        // UCX would write its own jump over mmap, and so take from mappings what makes them guest RAM; and what else it
        // has for transports is of no use in a guest.
        variables.put("UCX_MEM_EVENTS", "n");
        variables.put("UCX_TLS", "rc_verbs,ud_verbs,self");
        return variables;
    }

    /** What keeps executables from each other and from the driver; empty where there was no C compiler. */
    public static List<String> starter() {
        return Files.isExecutable(STARTER) ? List.of(STARTER.toString()) : List.of();
    }

    /** The computer's {@link #ALLOCATOR}, if it has one. */
    public static Optional<Path> allocator() {
        return SYSTEM_LIBRARIES.stream()
                .map(folder -> folder.resolve(ALLOCATOR))
                .filter(Files::exists)
                .findFirst();
    }
}
