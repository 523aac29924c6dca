package io.hyperverbs.backend.testing;

import io.hyperverbs.backend.journal.JournalReader;
import io.hyperverbs.backend.journal.JournalRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What stands in a journal. Callable from any thread. */
public final class WrittenRecords {
    private WrittenRecords() {}

    /** All records of the journal in that state folder. */
    public static List<JournalRecord> of(Path state) throws IOException {
        try (JournalReader reader = JournalReader.open(state)) {
            return rest(reader);
        }
    }

    /** Those that were not read yet. */
    public static List<JournalRecord> rest(JournalReader reader) {
        List<JournalRecord> records = new ArrayList<>();
        for (Optional<JournalRecord> one = reader.next(); one.isPresent(); one = reader.next()) {
            records.add(one.get());
        }
        return records;
    }
}
