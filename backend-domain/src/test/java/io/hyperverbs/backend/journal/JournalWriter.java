package io.hyperverbs.backend.journal;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.ControlRequest;
import java.nio.file.Path;
import java.time.Clock;

/** A process that writes records and says which, until it is killed. */
final class JournalWriter {
    private JournalWriter() {}

    public static void main(String[] args) throws Exception {
        Journal journal = Journal.open(Path.of(args[0]), Clock.systemUTC());
        for (long id = Long.parseLong(args[1]); ; id++) {
            journal.intent(1, "a", id, new ControlRequest.OpenContext(DataPathKind.BYPASS), false);
            System.out.println(id);
        }
    }
}
