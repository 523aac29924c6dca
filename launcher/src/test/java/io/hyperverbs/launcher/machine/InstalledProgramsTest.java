package io.hyperverbs.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.attacks.VictimProgram;
import io.hyperverbs.lab.bench.PingPong;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledProgramsTest {
    @TempDir
    private Path folder;

    @Test
    void aGuestGetsTheJarOfItsProgramAlone() {
        List<Path> victim = InstalledPrograms.of(VictimProgram.class, List.of()).files();
        List<Path> pingPong = InstalledPrograms.of(PingPong.class, List.of()).files();

        assertThat(victim).hasSize(1).doesNotContainAnyElementsOf(pingPong);
        assertThat(victim.getFirst()).exists();
    }

    @Test
    void aClassThatNoModuleListsIsNone() {
        assertThat(InstalledPrograms.find("java.lang.String", List.of())).isEmpty();
        assertThatThrownBy(() -> InstalledPrograms.of(String.class, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String");
    }

    @Test
    void twoModulesWithOneNameAreRefused() throws IOException {
        URL[] modules = {module("a", "ring=a.Ring"), module("b", "ring=b.Ring")};

        try (URLClassLoader host = new URLClassLoader(modules, null)) {
            assertThatThrownBy(() -> InstalledPrograms.read(host))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("two modules bring the program ring");
        }
    }

    private URL module(String name, String programs) throws IOException {
        Path list = folder.resolve(name).resolve(InstalledPrograms.LIST);
        Files.createDirectories(list.getParent());
        Files.writeString(list, programs);
        return folder.resolve(name).toUri().toURL();
    }
}
