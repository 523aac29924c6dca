package io.hyperverbs.tests.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.toolstack.conformance.Conformance;
import io.hyperverbs.toolstack.conformance.ConformanceCase;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What keeps a mistake out has to be there. */
class HistoricMistakeTest {
    private static final int MISTAKES = 18;
    private static final Path TOP = Path.of("").toAbsolutePath().getParent();

    @Test
    void everyNumberHasAnEntry() {
        assertThat(Arrays.stream(HistoricMistake.values()).map(HistoricMistake::number))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, MISTAKES).boxed().toList());
    }

    @ParameterizedTest
    @EnumSource(HistoricMistake.class)
    void isHeldOffByTestsThatExist(HistoricMistake mistake) throws IOException {
        Set<String> cases =
                Conformance.cases().stream().map(ConformanceCase::name).collect(Collectors.toSet());

        assertThat(mistake.proofs()).isNotEmpty();
        for (String proof : mistake.proofs()) {
            if (proof.contains(".")) {
                assertThat(cases).contains(proof);
            } else {
                expectTest(proof);
            }
        }
    }

    /** {@code Class#method}, somewhere among the tests of all modules. */
    private static void expectTest(String proof) throws IOException {
        String[] names = proof.split("#", 2);
        List<Path> sources;
        try (Stream<Path> files = Files.walk(TOP)) {
            sources =
                    files.filter(file -> file.endsWith(names[0] + ".java"))
                            .filter(file -> file.toString().contains("/src/test/java/"))
                            .toList();
        }
        assertThat(sources).as(proof).hasSize(1);
        Pattern test =
                Pattern.compile(
                        "@(Test|ParameterizedTest|TestFactory)[^{]*void " + names[1] + "\\(");
        assertThat(test.matcher(Files.readString(sources.getFirst())).find())
                .as("%s is a test", proof)
                .isTrue();
    }
}
