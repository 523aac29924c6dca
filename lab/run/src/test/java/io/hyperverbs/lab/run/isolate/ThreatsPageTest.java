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
        String page = Files.readString(PAGE);
        List<String> stable = withoutObservations(page);

        assertThat(stable)
                .as("made anew by: hv isolate --markdown > docs/threats.md")
                .containsExactlyElementsOf(withoutObservations(ThreatsPage.of(
                        attacks.stream().map(ThreatsPageTest::contained).toList())));
    }

    @Test
    void keepsCellsApart() {
        IsolationCase any = Isolation.cases(List.of()).getFirst();
        IsolationResult result = new IsolationResult(any, IsolationResult.Verdict.BREACH, "read a|b");

        assertThat(ThreatsPage.of(List.of(result))).contains("| read a\\|b | breach |\n");
    }

    private static IsolationResult contained(IsolationCase attack) {
        return new IsolationResult(attack, IsolationResult.Verdict.CONTAINED, "seen");
    }

    /** Lines without the cell before the last, which is another in each run. */
    private static List<String> withoutObservations(String page) {
        return page.lines()
                .map(line -> line.replaceFirst("\\| [^|]*(\\\\\\|[^|]*)*\\| contained \\|$", ""))
                .toList();
    }
}
