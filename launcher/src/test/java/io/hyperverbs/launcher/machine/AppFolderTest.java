package io.hyperverbs.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppFolderTest {
    @TempDir
    Path folder;

    @Test
    void copiesFilesAndFoldersSideBySide() throws Exception {
        Path jar = Files.writeString(folder.resolve("x.jar"), "jar");
        Path classes = Files.createDirectories(folder.resolve("classes/p")).getParent();
        Files.writeString(classes.resolve("p/C.class"), "class");
        Path app = folder.resolve("d/app");

        List<Path> places = AppFolder.put(app, List.of(jar, classes));
        List<Path> again = AppFolder.put(app, List.of(jar));

        assertThat(places.getFirst()).hasContent("jar");
        assertThat(places.get(1).resolve("p/C.class")).hasContent("class");
        assertThat(again.getFirst()).hasContent("jar").isNotEqualTo(places.getFirst());
    }

    @Test
    void domainsUserCanReadWhateverTheUmask() throws Exception {
        Path jar = Files.writeString(folder.resolve("x.jar"), "jar");
        Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-------"));

        Path place = AppFolder.put(folder.resolve("d/app"), List.of(jar)).getFirst();

        assertThat(Files.getPosixFilePermissions(place)).isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
        for (Path up = place.getParent(); !up.equals(folder); up = up.getParent()) {
            assertThat(Files.getPosixFilePermissions(up)).isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void nothingToCopyMakesNothing() throws Exception {
        assertThat(AppFolder.put(folder.resolve("d/app"), List.of())).isEmpty();
        assertThat(folder.resolve("d")).doesNotExist();
    }
}
