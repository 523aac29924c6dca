package io.hyperverbs.tests.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.Proof;
import io.hyperverbs.lab.ledger.Sources;
import io.hyperverbs.lab.run.inprocess.InProcessField;
import io.hyperverbs.lab.run.walk.Conductor;
import io.hyperverbs.lab.run.walk.WalkFile;
import io.hyperverbs.lab.run.walk.WalkRun;
import io.hyperverbs.verbs.Domain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A walk finds each bug that is planted, soon, and says so in few steps; where no walk has changed,
 * of one bug in six, other ones in each commit.
 */
@Order(3)
class PlantedBugTest {
    /** As far as a bug may hide. */
    private static final int STEPS = 20_000;

    /** As many steps as a sequence may have that shows one. */
    private static final int SHORT = 25;

    /** Where nothing has changed. */
    private static final int PART = 6;

    private static final long SEED = 20061;
    private static final Duration SHRINK_LIMIT = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private static boolean full;
    private static int found;

    @BeforeAll
    static void lookWhatChanged() throws IOException {
        full = Proof.PLANTED_BUGS.isDue();
    }

    @AfterAll
    static void note() throws IOException {
        if (full && found == PlantedBug.values().length) {
            Proof.PLANTED_BUGS.note();
        }
    }

    static Stream<PlantedBug> bugs() {
        return Arrays.stream(PlantedBug.values()).filter(bug -> full || bug.ordinal() % PART == Sources.seed() % PART);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void isFoundAndMadeShort(PlantedBug bug) throws Exception {
        Mutation mutation = bug.fresh();

        WalkRun.Found bugFound =
                walk(domain -> new FaultyDevice(mutation).on(domain)).orElseThrow();

        Conductor.Outcome shortest = bugFound.shortest().orElseThrow();
        String text = new WalkFile(List.of(), shortest.steps()).format(List.of(bug.name()));
        System.out.println(text);
        assertThat(shortest.divergence().orElseThrow().text())
                .as(text)
                .containsPattern("in-process-[01]: " + bug.words());
        assertThat(shortest.steps()).as(text).hasSizeLessThanOrEqualTo(SHORT);
        found++;
    }

    @Test
    void lensWithoutABugShowsNothing() throws Exception {
        Mutation none = new Mutation() {};

        assertThat(walk(domain -> new FaultyDevice(none).on(domain))).isEmpty();
    }

    private Optional<WalkRun.Found> walk(UnaryOperator<Domain> device) throws Exception {
        try (InProcessField field = new InProcessField(2, folder, device)) {
            return new WalkRun(field, SHRINK_LIMIT).run(SEED, 0, STEPS, more -> {});
        }
    }
}
