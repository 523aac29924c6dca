package io.hyperverbs.lab.dsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.dsm.apps.AppResult;
import io.hyperverbs.lab.dsm.apps.DsmApplication;
import io.hyperverbs.lab.dsm.perf.DsmLine;
import io.hyperverbs.upper.dsm.LocalNodes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program runs what it is asked for, and refuses what there is not. */
class DsmApplicationsTest {
    @Test
    void listsTheApplicationsOfThePaper() {
        assertThat(DsmApplications.all())
                .extracting(DsmApplication::name)
                .containsExactly("sor", "lu", "is", "tsp", "water", "nbody", "barnes");
    }

    @Test
    void findsOneByNameOrAll() {
        assertThat(DsmApplications.named("lu")).hasSize(1);
        assertThat(DsmApplications.named("all")).isEqualTo(DsmApplications.all());
        assertThat(DsmApplications.named("fft")).isEmpty();
        assertThat(DsmApplications.names()).isEqualTo("sor, lu, is, tsp, water, nbody, barnes or all");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lu", "tsp small", "all"})
    void endsWithZeroWhenAllIsRight(String words) {
        LocalNodes.run(
                2,
                dsm -> assertThat(DsmProgram.code(words.split(" "), dsm, _ -> {}))
                        .isZero());
    }

    @Test
    void programsGetTimeMessagesAndKibibytesOfAllNodes() {
        List<AppResult> results = new CopyOnWriteArrayList<>();

        LocalNodes.run(
                2,
                dsm -> assertThat(DsmProgram.code(new String[] {"lu"}, dsm, results::add))
                        .isZero());

        assertThat(results).hasSize(1);
        AppResult result = results.getFirst();
        assertThat(DsmProgram.lines(result))
                .containsExactly(
                        new DsmLine("lu", "ms", 2, result.nanos() / 1e6),
                        new DsmLine("lu", "messages", 2, result.traffic().messages()),
                        new DsmLine("lu", "KiB", 2, result.traffic().bytes() / 1024.0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fft", "lu large", "lu small small", ""})
    void endsWithTwoWhenThereIsNoSuch(String words) {
        LocalNodes.run(
                1,
                dsm -> assertThat(DsmProgram.code(words.split(" "), dsm, _ -> {}))
                        .isEqualTo(2));
    }
}
