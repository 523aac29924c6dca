package io.hyperverbs.lab.run.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.catalogue.Conformance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page in docs/ is that of a run of all cases on every path, all passed. */
class ConformancePageTest {
    private static final Path PAGE = Path.of("../../docs/conformance.md");

    @Test
    void countsTheRegisteredCasesAllPassed() throws Exception {
        PathVerdicts verdicts = new PathVerdicts(Conformance.cases(), List.of(CheckedPath.values()));
        for (ConformanceCase one : verdicts.cases()) {
            verdicts.paths().forEach(path -> verdicts.add(path, one.name(), Verdict.PASSED));
        }

        assertThat(Files.readString(PAGE))
                .as("written by: hv check --conformance --markdown > docs/conformance.md")
                .isEqualTo(ConformancePage.of(verdicts));
    }
}
