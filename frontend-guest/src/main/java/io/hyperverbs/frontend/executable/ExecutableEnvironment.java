package io.hyperverbs.frontend.executable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Environment variables by which executables load our C libraries in place of the computer's. */
public final class ExecutableEnvironment {
    /** As the sandbox shows them. */
    private static final Path LIBRARIES = Path.of("/hv/native");

    private static final Path MEMORY_LIBRARY = LIBRARIES.resolve("libhvmemory.so");

    /** Folders of a Linux system with the allocator whose mappings our library can serve. */
    private static final List<Path> SYSTEM_LIBRARIES =
            List.of(Path.of("/usr/lib/x86_64-linux-gnu"), Path.of("/usr/lib64"), Path.of("/usr/lib"));

    private static final String ALLOCATOR = "libmimalloc.so.2";

    private ExecutableEnvironment() {}

    /** The variables, with the driver's socket. */
    public static Map<String, String> variables(Path socket) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("HV_VERBS_SOCKET", socket.toString());
        variables.put("LD_LIBRARY_PATH", LIBRARIES.toString());
        List<String> preloaded = new ArrayList<>();
        if (Files.exists(MEMORY_LIBRARY)) {
            preloaded.add(MEMORY_LIBRARY.toString());
            allocator().map(Path::toString).forEach(preloaded::add);
        }
        if (!preloaded.isEmpty()) {
            variables.put("LD_PRELOAD", String.join(":", preloaded));
        }
        // Memory that it gives back to a shared file would still hold what was in it.
        variables.put("MIMALLOC_PAGE_RESET", "0");
        variables.put("MIMALLOC_ALLOW_DECOMMIT", "0");
        return variables;
    }

    private static Stream<Path> allocator() {
        return SYSTEM_LIBRARIES.stream()
                .map(folder -> folder.resolve(ALLOCATOR))
                .filter(Files::exists)
                .limit(1);
    }
}
