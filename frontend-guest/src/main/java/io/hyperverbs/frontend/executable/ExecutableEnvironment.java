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

    /** Starts the daemons of MPI in guests, in place of rsh; as the sandbox shows it. */
    public static final Path REMOTE_SHELL = LIBRARIES.resolve("hv-rsh");

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
        // Each receive has 8 KiB of the executable's memory; 4096 of them, twice, is more than that.
        variables.put("UCX_RC_VERBS_RX_QUEUE_LEN", "512");
        variables.put("UCX_UD_VERBS_RX_QUEUE_LEN", "512");
        variables.putAll(libfabric());
        variables.putAll(openMpi());
        return variables;
    }

    /** Its reliable datagrams, which are made of connections. */
    private static Map<String, String> libfabric() {
        Map<String, String> variables = new LinkedHashMap<>();
        // Completion queues are for as many peers: for 256 of them they would be larger than the HCA's may be.
        variables.put("FI_UNIVERSE_SIZE", "64");
        // There are some thousands; of 16 KiB each they take more than an executable's memory.
        variables.put("FI_OFI_RXM_BUFFER_SIZE", "4096");
        return variables;
    }

    /** Messages by UCX alone; its daemons meet on {@code lo}, which is all there is of a network. */
    private static Map<String, String> openMpi() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("OMPI_MCA_pml", "ucx");
        variables.put("OMPI_MCA_osc", "ucx");
        variables.put("OMPI_MCA_btl", "self");
        // It would write jumps over munmap, as UCX would.
        variables.put("OMPI_MCA_memory", "^patcher");
        variables.put("OMPI_MCA_pml_ucx_opal_mem_hooks", "0");
        variables.put("OMPI_MCA_if_base_retain_loopback", "1");
        // Ranks, guests and the HCA share few processors.
        variables.put("OMPI_MCA_mpi_yield_when_idle", "1");
        variables.put("OMPI_MCA_hwloc_base_binding_policy", "none");
        // There is no tree of processors in /sys; where a guest has a user of its own, it may have the number 0.
        variables.put("HWLOC_SYNTHETIC", "core:" + Runtime.getRuntime().availableProcessors() + " pu:1");
        variables.put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        variables.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
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
