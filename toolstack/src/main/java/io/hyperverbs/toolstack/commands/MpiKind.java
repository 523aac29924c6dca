package io.hyperverbs.toolstack.commands;

import io.hyperverbs.frontend.executable.ExecutableEnvironment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An MPI of this computer, by what starts its ranks. Names that no other MPI has: {@code mpirun} is of the one that the
 * computer prefers.
 */
enum MpiKind {
    OPENMPI("Open MPI", "orterun", "openmpi-bin") {
        @Override
        List<String> words(MpiRanks placed, String callFile) {
            List<String> words = start();
            words.addAll(List.of("-n", Integer.toString(placed.count()), "-H", placed.hosts()));
            // No daemon leaves the process that started it, and the first guest starts them all.
            words.addAll(List.of("--leave-session-attached", "--mca", "plm_rsh_no_tree_spawn", "1"));
            words.addAll(List.of("--mca", "plm_rsh_agent", ExecutableEnvironment.REMOTE_SHELL + " call " + callFile));
            return words;
        }

        @Override
        List<String> variable(String assignment) {
            return List.of("-x", assignment);
        }

        @Override
        boolean hasUcx(Path usr) {
            return UCX.stream().map(usr::resolve).anyMatch(Files::exists);
        }
    },

    MPICH("MPICH", "mpiexec.hydra", "mpich") {
        @Override
        List<String> words(MpiRanks placed, String callFile) {
            List<String> words = new ArrayList<>(List.of("env", "HYDRA_LAUNCHER_EXTRA_ARGS=call " + callFile));
            words.addAll(start());
            words.addAll(List.of("-launcher", "rsh", "-launcher-exec", ExecutableEnvironment.REMOTE_SHELL.toString()));
            words.addAll(List.of("-n", Integer.toString(placed.count()), "-hosts", placed.hosts()));
            // Its ranks have the variables of the first guest: a temporary folder that is not in the others. And they
            // would have memory in common within a guest.
            words.addAll(List.of("-genv", "TMPDIR", "/tmp", "-genv", "MPIR_CVAR_NOLOCAL", "1"));
            return words;
        }

        @Override
        List<String> variable(String assignment) {
            int equals = assignment.indexOf('=');
            return List.of("-genv", assignment.substring(0, equals), assignment.substring(equals + 1));
        }
    };

    /** What the build makes, to start daemons of any MPI in guests. */
    static final String SHELL = ExecutableEnvironment.REMOTE_SHELL.getFileName().toString();

    /** Where Debian's Open MPI has its plug-in for UCX, below /usr. */
    private static final List<String> UCX = List.of(
            "lib/x86_64-linux-gnu/openmpi/lib/openmpi3/mca_pml_ucx.so",
            "lib/aarch64-linux-gnu/openmpi/lib/openmpi3/mca_pml_ucx.so");

    private final String title;
    private final Path program;
    private final String debianPackage;

    MpiKind(String title, String program, String debianPackage) {
        this.title = title;
        this.program = Path.of("/usr/bin", program);
        this.debianPackage = debianPackage;
    }

    /** The one of that name, in small letters. */
    static Optional<MpiKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }

    String word() {
        return this == OPENMPI ? "openmpi" : "mpich";
    }

    /** Its name in sentences. */
    String title() {
        return title;
    }

    Path program() {
        return program;
    }

    String debianPackage() {
        return debianPackage;
    }

    /**
     * What is missing on a computer to run its programs, and what to install; empty if nothing is.
     *
     * @param usr such as {@code /usr}
     */
    final Optional<String> missing(Path usr) {
        String name = program.getFileName().toString();
        if (!Files.isExecutable(usr.resolve("bin").resolve(name))) {
            return Optional.of("no " + name + " (apt install " + debianPackage + ")");
        }
        return hasUcx(usr) ? Optional.empty() : Optional.of(title + " has no UCX (mca_pml_ucx.so)");
    }

    /** Whether it sends messages by UCX; Debian's MPICH is linked with it. */
    boolean hasUcx(Path usr) {
        return true;
    }

    final List<String> start() {
        return new ArrayList<>(List.of(ExecutableEnvironment.REMOTE_SHELL.toString(), "run", program.toString()));
    }

    /**
     * What runs in the first guest, up to variables and the program.
     *
     * @param callFile what {@code hv-rsh} finds the other guests by
     */
    abstract List<String> words(MpiRanks placed, String callFile);

    /** Options that set a variable of all ranks, from NAME=VALUE. */
    abstract List<String> variable(String assignment);
}
