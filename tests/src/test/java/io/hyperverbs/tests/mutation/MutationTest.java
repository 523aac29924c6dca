package io.hyperverbs.tests.mutation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xml.sax.SAXException;

/**
 * {@code mvn verify -Ppit [-Dpit.part=vmm,hca]}: of each class that judges, tests notice so many
 * mutants as its {@link Part} says. What held is written down for {@link ChangedMutantsTest}.
 */
@EnabledIfSystemProperty(named = "pit.run", matches = "true")
class MutationTest {
    static final Path SOURCES = Path.of("src/test/resources/mutated-sources.txt");

    private static final List<String> WANTED =
            List.of(System.getProperty("pit.part", "all").split(","));

    @ParameterizedTest
    @EnumSource
    void testsNoticeMutants(Part part)
            throws IOException, InterruptedException, ParserConfigurationException, SAXException {
        if (!WANTED.contains("all") && !WANTED.contains(part.word())) {
            return;
        }
        PitRun.assertNoticed(part, part.classes());
        MutatedSources.read(SOURCES).note(part);
    }
}
