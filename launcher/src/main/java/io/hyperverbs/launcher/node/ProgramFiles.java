package io.hyperverbs.launcher.node;

import com.google.protobuf.ByteString;
import io.hyperverbs.launcher.node.wire.ProgramFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Files of programs on their way to a host. */
public final class ProgramFiles {
    private ProgramFiles() {}

    /**
     * A file, or all files of a folder.
     *
     * @param name what it is to be called there, or the folder that its files are to be in
     */
    public static List<ProgramFile> pack(Path place, String name) throws IOException {
        if (Files.isRegularFile(place)) {
            return List.of(packed(place, name));
        }
        List<ProgramFile> packed = new ArrayList<>();
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                packed.add(packed(file, name + "/" + place.relativize(file)));
            }
        }
        return packed;
    }

    private static ProgramFile packed(Path file, String name) throws IOException {
        return ProgramFile.newBuilder()
                .setPath(name)
                .setContent(ByteString.copyFrom(Files.readAllBytes(file)))
                .build();
    }

    /**
     * Writes them below {@code folder}.
     *
     * @throws IOException for a path that leads out of it, too
     */
    static void unpack(List<ProgramFile> files, Path folder) throws IOException {
        for (ProgramFile file : files) {
            Path place = folder.resolve(file.getPath()).normalize();
            Path parent = place.getParent();
            if (!place.startsWith(folder) || place.equals(folder) || parent == null) {
                throw new IOException("a file's path leads out of its folder: " + file.getPath());
            }
            Files.createDirectories(parent);
            Files.write(place, file.getContent().toByteArray());
        }
    }
}
