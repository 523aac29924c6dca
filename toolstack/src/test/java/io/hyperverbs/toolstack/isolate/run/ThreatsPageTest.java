package io.hyperverbs.toolstack.isolate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.toolstack.isolate.Isolation;
import io.hyperverbs.toolstack.isolate.IsolationCase;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class ThreatsPageTest {
    private static final Path PAGE =
            Path.of("").toAbsolutePath().resolveSibling("docs").resolve("threats.md");

    @Test
    void listsExactlyTheRegisteredAttacksAllContained() throws Exception {
        List<String> rows =
                Files.readAllLines(PAGE).stream().filter(line -> line.contains("| `")).toList();

        assertThat(rows)
                .as("made anew by: hv isolate --markdown > docs/threats.md")
                .allMatch(row -> row.endsWith("| contained |"))
                .extracting(row -> row.split("`", 3)[1])
                .isEqualTo(Isolation.cases(List.of()).stream().map(IsolationCase::name).toList());
    }

    @Test
    void keepsCellsApart() {
        IsolationCase any = Isolation.cases(List.of()).getFirst();
        IsolationResult result =
                new IsolationResult(any, IsolationResult.Verdict.BREACH, "read a|b");

        assertThat(ThreatsPage.of(List.of(result))).endsWith("| read a\\|b | breach |\n");
    }
}
