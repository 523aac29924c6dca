package io.hyperverbs.lab.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LedgerTest {
    private static final String FOLDER = "lab/ledger/target/ledger";
    private static final String OTHER = "tests/pom.xml";

    @BeforeEach
    @AfterEach
    void clear() throws Exception {
        Path folder = Sources.file(FOLDER);
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.deleteIfExists(Sources.file("tests" + Ledger.FOLDER + "of-a-test.txt"));
        Files.createDirectories(folder);
    }

    @ParameterizedTest
    @EnumSource
    void sourcesOfAProofAreThere(Proof proof) {
        assertThat(proof.sources())
                .allSatisfy(source -> assertThat(Sources.file(source)).exists());
    }

    @Test
    void whatWasNeverNotedHasChanged() throws Exception {
        assertThat(Ledger.of("of-a-test").changed(List.of(OTHER))).containsExactly(OTHER);
    }

    @Test
    void aByteOrANameInAFolderIsAChange() throws Exception {
        Path file = Files.writeString(Sources.file(FOLDER).resolve("A.java"), "a");
        Ledger.of("of-a-test").note(List.of(FOLDER, OTHER));
        assertThat(Ledger.of("of-a-test").changed(List.of(FOLDER, OTHER))).isEmpty();

        Files.writeString(file, "b");
        assertThat(Ledger.of("of-a-test").changed(List.of(FOLDER, OTHER))).containsExactly(FOLDER);

        Files.writeString(file, "a");
        Files.move(file, file.resolveSibling("B.java"));
        assertThat(Ledger.of("of-a-test").changed(List.of(FOLDER, OTHER))).containsExactly(FOLDER);
    }

    @Test
    void seedIsThatOfTheSources() {
        assertThat(Sources.seed()).isEqualTo(Sources.seed());
    }
}
