package io.hyperverbs.backend.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of a journal: folders of segments, numbered in the order in which they were written,
 * each with one file of records.
 */
final class JournalFolder {
    private static final String NAME = "[0-9]{8}";

    private JournalFolder() {}

    /** Folders of all segments, oldest first; none if there is no journal. */
    static List<Path> segments(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(one -> one.getFileName().toString().matches(NAME))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** Files of records in the folder of a segment, in order. */
    static List<Path> files(Path segment) throws IOException {
        try (Stream<Path> all = Files.list(segment)) {
            return all.filter(file -> file.toString().endsWith(JournalFile.SUFFIX))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException e) {
            // Retention was quicker.
            return List.of();
        }
    }

    static long number(Path segment) {
        return Long.parseLong(segment.getFileName().toString());
    }

    static Path segment(Path folder, long number) {
        return folder.resolve("%08d".formatted(number));
    }

    /** Removes a folder with all that is in it; it may be gone. */
    static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException e) {
            return;
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
