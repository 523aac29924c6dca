package io.hyperverbs.vmm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links and squatters where a state folder is to be. */
class StateFolderTest {
    @TempDir
    Path home;

    private Path state;
    private Path foreign;

    @BeforeEach
    void prepare() throws IOException {
        state = home.resolve("state");
        foreign = Files.createDirectory(home.resolve("foreign"));
        Files.writeString(foreign.resolve("precious"), "bytes");
    }

    @Test
    void isMadeForItsOwnerAlone() throws Exception {
        StateFolder folder = StateFolder.claim(state);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
                .isEqualTo("rwx------");
    }

    @Test
    void closesAFolderThatIsThere() throws Exception {
        Files.createDirectory(state);
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));

        StateFolder folder = StateFolder.claim(state);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
                .isEqualTo("rwx------");
    }

    @Test
    void refusesALinkInItsPlace() throws Exception {
        Files.createSymbolicLink(state, foreign);

        assertThatThrownBy(() -> StateFolder.claim(state)).isInstanceOf(MachineException.class);
        assertThat(foreign.resolve("precious")).hasContent("bytes");
    }

    @Test
    void refusesAFolderWithSomethingElse() throws Exception {
        Files.createDirectory(state);
        Files.writeString(state.resolve("thesis.tex"), "bytes");

        assertThatThrownBy(() -> StateFolder.claim(state)).hasMessageContaining("thesis.tex");
        assertThat(state.resolve("thesis.tex")).hasContent("bytes");
    }

    @Test
    void refusesAFolderOfAnotherUser() throws Exception {
        Files.createDirectory(state);
        assumeTrue(Files.getAttribute(state, "unix:uid").equals(0), "only root gives folders away");
        Files.setAttribute(state, "unix:uid", 12_345);

        assertThatThrownBy(() -> StateFolder.claim(state)).hasMessageContaining("another user");
    }

    @Test
    void followsNoLinkForItsPid() throws Exception {
        Files.createDirectory(state);
        Files.createSymbolicLink(state.resolve("vmm.pid"), foreign.resolve("precious"));

        assertThatThrownBy(() -> StateFolder.claim(state)).isInstanceOf(IOException.class);
        assertThat(foreign.resolve("precious")).hasContent("bytes");
    }

    @Test
    void writesNoFileThatHasAnotherName() throws Exception {
        Files.createDirectory(state);
        Files.createLink(state.resolve("vmm.pid"), foreign.resolve("precious"));

        assertThatThrownBy(() -> StateFolder.claim(state)).isInstanceOf(MachineException.class);
        assertThat(foreign.resolve("precious")).hasContent("bytes");
    }

    @Test
    void cleansUpWithoutFollowingLinks() throws Exception {
        Files.createDirectory(state);
        Files.createSymbolicLink(state.resolve("domains"), foreign);
        Files.createDirectory(state.resolve("logs"));
        Files.createSymbolicLink(state.resolve("logs").resolve("a.log"), foreign.resolve("precious"));

        StateFolder folder = StateFolder.claim(state);

        assertThat(foreign.resolve("precious")).hasContent("bytes");
        assertThat(folder.path().resolve("domains")).doesNotExist();
        assertThat(folder.path().resolve("logs")).doesNotExist();
    }
}
