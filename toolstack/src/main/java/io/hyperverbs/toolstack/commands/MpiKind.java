package io.hyperverbs.toolstack.commands;

import io.hyperverbs.frontend.executable.ExecutableEnvironment;
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
    OPENMPI("orterun", "openmpi-bin") {
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
    },

    MPICH("mpiexec.hydra", "mpich") {
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

    private final Path program;
    private final String debianPackage;

    MpiKind(String program, String debianPackage) {
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

    Path program() {
        return program;
    }

    String debianPackage() {
        return debianPackage;
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
