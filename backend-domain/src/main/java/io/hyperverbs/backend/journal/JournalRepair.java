package io.hyperverbs.backend.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes a journal anew that ends in something that is no record. Nothing of the files that a dead
 * process left is believed but its whole records; Chronicle Queue never sees the rest.
 */
final class JournalRepair {
    private static final String REWRITTEN = "journal.rewritten";
    private static final String TORN = "journal.torn";

    private JournalRepair() {}

    /** Puts a journal of the whole records alone in the place of {@code folder}. */
    static void dropTail(Path folder) throws IOException, JournalException {
        Path rewritten = folder.resolveSibling(REWRITTEN);
        delete(rewritten);
        Files.createDirectories(rewritten);
        try (Journal journal = Journal.open(rewritten, Clock.systemUTC())) {
            JournalScan _ = JournalScan.of(folder, record -> copy(journal, record));
        } catch (Uncopied e) {
            throw e.reason;
        }
        // Whoever dies in between leaves the torn one, which is rewritten again.
        Path torn = folder.resolveSibling(TORN);
        delete(torn);
        Files.move(folder, torn);
        Files.move(rewritten.resolve(JournalFile.FOLDER), folder);
        delete(rewritten);
    }

    /** Does what a process was about to do that died while it put the new one in place. */
    static void finish(Path folder) throws IOException {
        Path whole = folder.resolveSibling(REWRITTEN).resolve(JournalFile.FOLDER);
        if (!Files.exists(folder) && Files.exists(whole)) {
            Files.move(whole, folder);
        }
    }

    private static void copy(Journal journal, JournalRecord record) {
        try {
            journal.copy(record);
        } catch (JournalException e) {
            throw new Uncopied(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }

    /** Carries a refusal out of the scan. */
    private static final class Uncopied extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient JournalException reason;

        Uncopied(JournalException reason) {
            super(reason);
            this.reason = reason;
        }
    }
}
