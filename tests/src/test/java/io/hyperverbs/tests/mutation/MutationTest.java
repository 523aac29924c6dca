package io.hyperverbs.tests.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.tests.jvm.ChildJvm;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xml.sax.SAXException;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.xml.parsers.ParserConfigurationException;

/**
 * {@code mvn verify -Ppit [-Dpit.part=vmm,card]}: of each class that judges, tests notice so many
 * mutants as its {@link Part} says. {@code target/pit} has the reports.
 */
@EnabledIfSystemProperty(named = "pit.run", matches = "true")
class MutationTest {
    private static final Path WORK = Path.of("target/pit").toAbsolutePath();
    private static final Path EQUIVALENT = Path.of("src/test/resources/equivalent-mutants.txt");
    private static final String PIT = "org.pitest.mutationtest.commandline.MutationCoverageReport";
    private static final List<String> WANTED =
            List.of(System.getProperty("pit.part", "all").split(","));

    @ParameterizedTest
    @EnumSource
    void testsNoticeMutants(Part part)
            throws IOException, InterruptedException, ParserConfigurationException, SAXException {
        if (!WANTED.contains("all") && !WANTED.contains(part.word())) {
            return;
        }
        Path work = WORK.resolve(part.word());
        int exit =
                new ChildJvm(work, "log")
                        .run(List.of(), PIT, arguments(part, work), Duration.ofMinutes(30));
        assertThat(exit).as("PIT, see %s", work).isZero();

        Mutants mutants = Mutants.read(work.resolve("mutations.xml"), EQUIVALENT);
        List<String> missed = new ArrayList<>();
        for (String name : mutants.classes()) {
            int noticed = mutants.all(name) - mutants.alive(name).size();
            System.out.printf("%-16s %4d of %4d%n", name, noticed, mutants.all(name));
            if (mutants.percent(name) < part.leastPercent) {
                missed.addAll(mutants.alive(name));
            }
        }
        assertThat(mutants.classes()).containsExactlyElementsOf(part.simpleNames());
        assertThat(missed).as("mutants that no test notices").isEmpty();
        assertThat(mutants.unseen()).as("listed as equivalent, and noticed or gone").isEmpty();
    }

    private static List<String> arguments(Part part, Path work) {
        Path module = Path.of("..", part.module).toAbsolutePath().normalize();
        Path classes = module.resolve("target/classes");
        return List.of(
                "--targetClasses",
                part.targets(),
                "--targetTests",
                part.tests(),
                "--reportDir",
                work.toString(),
                "--sourceDirs",
                module.resolve("src/main/java").toString(),
                "--classPath",
                String.join(
                        ",",
                        classes.toString(),
                        module.resolve("target/test-classes").toString(),
                        ChildJvm.classPath().replace(File.pathSeparator, ",")),
                "--mutableCodePaths",
                classes.toString(),
                "--outputFormats",
                "XML,HTML",
                "--timestampedReports=false",
                "--threads",
                "2",
                "--timeoutConst",
                "4000",
                "--jvmArgs",
                String.join(",", ChildJvm.FLAGS));
    }
}
