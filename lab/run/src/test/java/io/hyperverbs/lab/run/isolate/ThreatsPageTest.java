package io.hyperverbs.lab.run.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreatsPageTest {
    private static final Path PAGE = Path.of("../../docs/threats.md");

    @Test
    void isThatOfARunOfAllAttacksAllContained() throws Exception {
        List<IsolationCase> attacks = Isolation.cases(List.of());

        assertThat(Files.readString(PAGE))
                .as("written by: hv isolate --markdown > docs/threats.md")
                .isEqualTo(ThreatsPage.of(
                        attacks.stream().map(ThreatsPageTest::contained).toList()));
    }

    @Test
    void namesWhatFailed() {
        IsolationCase any = Isolation.cases(List.of()).getFirst();
        IsolationResult result = new IsolationResult(any, IsolationResult.Verdict.BREACH, "read a|b");

        assertThat(ThreatsPage.of(List.of(result)))
                .contains("| `" + any.name() + "` | ", "| read a\\|b | breach |\n", "| 0 of 1 |\n");
    }

    private static IsolationResult contained(IsolationCase attack) {
        return new IsolationResult(attack, IsolationResult.Verdict.CONTAINED, "seen");
    }
}
