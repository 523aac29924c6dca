package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MpiFoundTest {
    private static final String UCX = "lib/x86_64-linux-gnu/openmpi/lib/openmpi3/mca_pml_ucx.so";

    @TempDir
    Path usr;

    @Test
    void namesBoth() throws IOException {
        install("bin/orterun", UCX, "bin/mpiexec.hydra");

        assertThat(MpiFound.in(usr)).isEqualTo(new MpiFound(true, "hv mpirun runs programs of Open MPI and MPICH"));
    }

    @Test
    void saysWhatToInstallForTheOther() throws IOException {
        install("bin/orterun", UCX);

        assertThat(MpiFound.in(usr))
                .isEqualTo(new MpiFound(
                        true, "hv mpirun runs programs of Open MPI; no mpiexec.hydra (apt install mpich)"));
    }

    @Test
    void openMpiNeedsUcx() throws IOException {
        install("bin/orterun", "bin/mpiexec.hydra");

        assertThat(MpiFound.in(usr))
                .isEqualTo(
                        new MpiFound(true, "hv mpirun runs programs of MPICH; Open MPI has no UCX (mca_pml_ucx.so)"));
    }

    @Test
    void saysWhatToInstallWhereNoneIs() {
        assertThat(MpiFound.in(usr))
                .isEqualTo(new MpiFound(
                        false, "no orterun (apt install openmpi-bin), no mpiexec.hydra (apt install mpich)"));
    }

    private void install(String... files) throws IOException {
        for (String file : files) {
            Path path = usr.resolve(file);
            Files.createDirectories(path.getParent());
            assertThat(Files.createFile(path).toFile().setExecutable(true)).isTrue();
        }
    }
}
