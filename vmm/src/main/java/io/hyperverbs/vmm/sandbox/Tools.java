package io.hyperverbs.vmm.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where system programs are, whatever PATH says. */
public final class Tools {
    private static final List<String> FOLDERS = List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin");

    private Tools() {}

    public static Optional<String> find(String name) {
        return FOLDERS.stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    static String get(String name) {
        return find(name).orElseThrow(() -> new IllegalStateException(name + " is not installed"));
    }
}
