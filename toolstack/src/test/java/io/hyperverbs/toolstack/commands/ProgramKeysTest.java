package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.store.KeyValueStore;
import io.hyperverbs.vmm.store.StorePath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a store that has the limits of a machine's. */
class ProgramKeysTest {
    private static final int MORE_THAN_FIT = 2 * KeyValueStore.MAX_KEYS;

    @TempDir
    Path folder;

    private final KeyValueStore values = new KeyValueStore();
    private ProgramKeys keys;

    @BeforeEach
    void make() {
        keys = new ProgramKeys(new LimitedStore(), folder.resolve("lock"), "a", 7);
    }

    @Test
    void programsAreNumberedFromOne() throws Exception {
        assertThat(keys.submit("first").number()).isEqualTo(1);
        assertThat(keys.submit("second").number()).isEqualTo(2);

        assertThat(read("domain/tool/exec/7/1")).contains("first");
        assertThat(read("domain/tool/exec/7/2")).contains("second");
    }

    /** Else a machine would run some hundred programs in its life. */
    @Test
    void programsThatEndedTakeNoRoom() throws Exception {
        for (int i = 1; i <= MORE_THAN_FIT; i++) {
            ProgramKeys.Submitted program = keys.submit("x".repeat(1000));
            assertThat(program.number()).isEqualTo(i);

            program.forget();
        }
    }

    @Test
    void cancelledProgramsTakeNoRoomOnceTheyEnded() throws Exception {
        for (int i = 1; i <= MORE_THAN_FIT; i++) {
            keys.submit("x".repeat(1000)).cancel();
            assertThat(read("domain/tool/cancel/7/" + i)).contains("");
            values.write(path("domain/a/exec/" + i), "130");
            // The guest does so once the program's key is gone.
            values.remove(path("domain/a/exec/" + (i - 1)));
        }
    }

    @Test
    void aCancelledProgramWhoseEndIsAwaitedTakesNoRoom() throws Exception {
        ProgramKeys.Submitted program = keys.submit("served");
        program.cancel();
        values.write(path("domain/a/exec/1"), "130");

        assertThat(program.awaitEnd(Duration.ZERO)).isTrue();
        values.remove(path("domain/a/exec/1"));
        assertThat(keys.submit("next").exitCode()).isEmpty();

        assertThat(read("domain/tool/cancel/7/1")).isEmpty();
    }

    /** It has not taken it yet, and waits for its number. */
    @Test
    void aCancelledProgramStaysUntilTheGuestHasEndedIt() throws Exception {
        keys.submit("late").cancel();
        assertThat(keys.submit("next").number()).isEqualTo(2);
        assertThat(read("domain/tool/exec/7/1")).contains("late");

        values.write(path("domain/a/exec/1"), "130");
        assertThat(keys.submit("last").awaitEnd(Duration.ZERO)).isFalse();

        assertThat(read("domain/tool/exec/7/1")).isEmpty();
        assertThat(read("domain/tool/cancel/7/1")).isEmpty();
        assertThat(read("domain/tool/exec/7/2")).contains("next");
    }

    private Optional<String> read(String path) {
        return values.read(path(path));
    }

    private static StorePath path(String path) {
        return Objects.requireNonNull(StorePath.parse(path));
    }

    private final class LimitedStore implements ProgramKeys.Store {
        @Override
        public void write(String path, String value) throws MachineException {
            VerbsStatus status = values.write(path(path), value);
            if (status != VerbsStatus.SUCCESS) {
                throw new MachineException(status, "full");
            }
        }

        @Override
        public void remove(String path) {
            values.remove(path(path));
        }

        @Override
        public Optional<String> read(String path, Duration wait) {
            return values.read(path(path));
        }
    }
}
