package io.hyperverbs.tests.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.run.inprocess.InProcessField;
import io.hyperverbs.lab.run.walk.Conductor;
import io.hyperverbs.lab.run.walk.WalkFile;
import io.hyperverbs.lab.run.walk.WalkRun;
import io.hyperverbs.verbs.Domain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A walk finds each bug that is planted, soon, and says so in few steps. */
@Order(3)
class PlantedBugTest {
    /** As far as a bug may hide. */
    private static final int STEPS = 20_000;

    /** As many steps as a sequence may have that shows one. */
    private static final int SHORT = 25;

    private static final long SEED = 20061;
    private static final Duration SHRINK_LIMIT = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(PlantedBug.class)
    void isFoundAndMadeShort(PlantedBug bug) throws Exception {
        Mutation mutation = bug.fresh();

        WalkRun.Found found =
                walk(domain -> new FaultyDevice(mutation).on(domain)).orElseThrow();

        Conductor.Outcome shortest = found.shortest().orElseThrow();
        String text = new WalkFile(List.of(), shortest.steps()).format(List.of(bug.name()));
        System.out.println(text);
        assertThat(shortest.divergence().orElseThrow().text())
                .as(text)
                .containsPattern("in-process-[01]: " + bug.words());
        assertThat(shortest.steps()).as(text).hasSizeLessThanOrEqualTo(SHORT);
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
