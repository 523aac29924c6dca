package io.hyperverbs.launcher.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.hyperverbs.launcher.node.wire.ProgramFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramFilesTest {
    @TempDir
    Path folder;

    @Test
    void arriveAsTheyWere() throws Exception {
        Path source = Files.createDirectories(folder.resolve("source/a/b"));
        Files.writeString(source.resolve("file"), "text");
        Path jar = Files.writeString(folder.resolve("one.jar"), "jar");
        Path target = Files.createDirectory(folder.resolve("target"));

        ProgramFiles.unpack(ProgramFiles.pack(folder.resolve("source"), "0/source"), target);
        ProgramFiles.unpack(ProgramFiles.pack(jar, "1/one.jar"), target);

        assertThat(target.resolve("0/source/a/b/file")).hasContent("text");
        assertThat(target.resolve("1/one.jar")).hasContent("jar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../file", "a/../../file", "/tmp/file", "", ".", "a/.."})
    void doNotLeaveTheirFolder(String path) throws Exception {
        Path target = Files.createDirectory(folder.resolve("target"));
        ProgramFile file = ProgramFile.newBuilder()
                .setPath(path)
                .setContent(ByteString.copyFromUtf8("text"))
                .build();

        assertThatThrownBy(() -> ProgramFiles.unpack(List.of(file), target))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("leads out of its folder");
        assertThat(folder.resolve("file")).doesNotExist();
    }
}
