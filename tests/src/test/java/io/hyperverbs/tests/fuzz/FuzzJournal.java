package io.hyperverbs.tests.fuzz;

import io.hyperverbs.backend.journal.Journal;
import io.hyperverbs.backend.journal.JournalException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A journal that backends share, begun anew before it fills the disk; gone with this process. */
final class FuzzJournal {
    private static final int MOST_USES = 5_000;
    private static Path folder;
    private static Journal journal;
    private static int uses;

    private FuzzJournal() {}

    static synchronized Journal get() {
        if (journal == null || ++uses % MOST_USES == 0) {
            discard();
            try {
                folder = Files.createTempDirectory("fuzz-journal");
                journal = Journal.open(folder, Clock.systemUTC());
            } catch (IOException | JournalException e) {
                throw new IllegalStateException("no journal", e);
            }
            Runtime.getRuntime().addShutdownHook(new Thread(FuzzJournal::discard));
        }
        return journal;
    }

    private static synchronized void discard() {
        if (journal != null) {
            journal.close();
            journal = null;
            delete(folder);
        }
    }

    static void delete(Path tree) {
        try (Stream<Path> found = Files.walk(tree)) {
            List<Path> all = found.sorted(Comparator.reverseOrder()).toList();
            for (Path path : all) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
