package io.hyperverbs.lab.run.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.catalogue.Conformance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page in docs/ speaks of the cases there are. */
class ConformancePageTest {
    private static final Path PAGE = Path.of("../../docs/conformance.md");
    private static final String AGAIN = "hv check --conformance --markdown > docs/conformance.md";

    @Test
    void listsExactlyTheRegisteredCases() throws Exception {
        List<String> listed = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("`", 3)[1])
                .toList();

        assertThat(listed)
                .as("made anew by: %s", AGAIN)
                .isEqualTo(
                        Conformance.cases().stream().map(ConformanceCase::name).toList());
    }

    @Test
    void showsEveryCasePassedOnEveryPath() throws Exception {
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();

        assertThat(rows)
                .as("made anew by: %s", AGAIN)
                .isNotEmpty()
                .allMatch(row -> row.contains("` | pass | pass | pass | pass | "));
    }
}
