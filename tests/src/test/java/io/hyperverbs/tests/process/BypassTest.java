package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.journal.JournalReader;
import io.hyperverbs.backend.journal.JournalRecord;
import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.ManyWrites;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Liu 2006 §4.3: posting and polling involve no other domain. Counted where messages arrive, in the
 * backend.
 */
@RunsWhenChanged
class BypassTest extends MachineTest {
    private static final int MILLION = 1_000_000;

    @Test
    void millionPostsSendNothingOverTheDeviceChannel() throws Exception {
        String none = messages("posts-none", "bypass", 0);
        String many = messages("posts-many", "bypass", MILLION);

        assertThat(many).as("messages of a million posts and of none").isEqualTo(none);
        assertThat(many).matches("control=[1-9][0-9]* data=0");
    }

    @InEachBuild
    @Test
    void forwardedPostsAreCounted() throws Exception {
        int posts = 160;
        for (String path : List.of("forwarded", "forwarded-unary")) {
            String messages = messages("posts-" + path, path, posts);

            int data = Integer.parseInt(messages.replaceAll(".*data=", ""));
            // One message at least for each batch of 16.
            assertThat(data).as(path).isGreaterThanOrEqualTo(posts / 16);
        }
    }

    private String messages(String name, String path, int posts) throws Exception {
        TestMachine machine = machine();
        machine.add(TestMachine.guest(name, path), TestMachine.program(ManyWrites.class, Integer.toString(posts)));
        assertThat(machine.awaitEnd(name).exitCode())
                .as("%s", machine.console(name))
                .isZero();
        try (JournalReader reader =
                JournalReader.open(machine.machine().folder().path())) {
            for (Optional<JournalRecord> record = reader.next(); record.isPresent(); record = reader.next()) {
                if (record.get().phase() == JournalRecord.Phase.ENDED
                        && record.get().domainName().equals(name)) {
                    return record.get().words();
                }
            }
        }
        throw new AssertionError("the journal has no end of session " + name);
    }
}
