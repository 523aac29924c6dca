package io.hyperverbs.launcher.machine;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts programs where a domain sees them, readable for its user whatever the umask. Others cannot
 * get there: the state folder above is closed to them.
 */
public final class AppFolder {
    private AppFolder() {}

    /** Copies {@code files} below {@code app}; returns where each came to lie. */
    public static List<Path> put(Path app, List<Path> files) throws IOException {
        List<Path> places = new ArrayList<>();
        if (files.isEmpty()) {
            return places;
        }
        Path domain = app.getParent();
        if (domain != null) {
            open(Files.createDirectories(domain), true);
        }
        open(Files.createDirectories(app), true);
        for (Path file : files) {
            Path own = Files.createTempDirectory(app, "p");
            open(own, true);
            Path place = own.resolve(file.getFileName().toString());
            copy(file, place);
            places.add(place);
        }
        return places;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Path target = to.resolve(from.relativize(folder).toString());
                open(Files.createDirectories(target), true);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path target = file.equals(from)
                        ? to
                        : to.resolve(from.relativize(file).toString());
                open(Files.copy(file, target), false);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void open(Path path, boolean folder) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(folder ? "rwxr-xr-x" : "rw-r--r--"));
    }
}
