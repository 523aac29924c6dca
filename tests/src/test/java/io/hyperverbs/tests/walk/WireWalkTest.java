package io.hyperverbs.tests.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.ledger.Sources;
import io.hyperverbs.lab.run.inprocess.InProcessField;
import io.hyperverbs.lab.run.inprocess.Wiring;
import io.hyperverbs.lab.run.walk.WalkRun;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Domains of two HCAs: nothing diverges from the model, whatever the wire between them loses. */
@RunsWhenChanged
class WireWalkTest {
    private static final Duration SHRINK_LIMIT = Duration.ofMinutes(1);
    private static final int STEPS = Integer.getInteger("wire.steps", 100_000);

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "0.01, 0.01, 0.01"})
    void neverDiverges(double loss, double duplicates, double overtakings, @TempDir Path folder) throws Exception {
        long seed = Sources.seed();
        var impairment = new Wiring.Impairment(loss, duplicates, overtakings);
        try (InProcessField field =
                new InProcessField(2, folder, Wiring.between(2, InProcessField.LIMITS, seed, impairment), loss > 0)) {
            var found = new WalkRun(field, SHRINK_LIMIT).run(seed, 0, STEPS, more -> {});

            assertThat(found).as("seed %d", seed).isEmpty();
        }
    }
}
