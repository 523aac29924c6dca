package io.hyperverbs.tests.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.tests.jvm.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.xml.sax.SAXException;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.xml.parsers.ParserConfigurationException;

/**
 * {@code mvn verify -Ppit}: every mutant of the range check and of the rings must be noticed.
 * {@code target/pit} has the report.
 */
@EnabledIfSystemProperty(named = "pit.run", matches = "true")
class MutationTest {
    private static final Path WORK = Path.of("target/pit").toAbsolutePath();
    private static final Path EQUIVALENT = Path.of("src/test/resources/equivalent-mutants.txt");
    private static final Path HCA = Path.of("../hca-model/target").toAbsolutePath().normalize();
    private static final String PIT = "org.pitest.mutationtest.commandline.MutationCoverageReport";
    private static final String OURS = "io.hyperverbs.hca.";

    /** All that is not equivalent must be noticed. */
    private static final List<String> CLASSES =
            List.of(
                    "tpt.RangeCheck",
                    "layout.QueueIndexes",
                    "layout.QueueGeometry",
                    "qp.SendQueue",
                    "qp.ReceiveQueue");

    private static final List<String> TESTS =
            List.of(
                    "tpt.RangeCheckTest",
                    "layout.QueueIndexesTest",
                    "layout.QueueGeometryTest",
                    "qp.SendQueueTest",
                    "qp.ReceiveQueueTest");

    @Test
    void testsNoticeMutants()
            throws IOException, InterruptedException, ParserConfigurationException, SAXException {
        ChildJvm jvm = new ChildJvm(WORK, "log");
        int exit = jvm.run(List.of(), PIT, arguments(), Duration.ofMinutes(30));
        assertThat(exit).as("PIT, see %s", WORK).isZero();

        Mutants mutants = Mutants.read(WORK.resolve("mutations.xml"), EQUIVALENT);
        List<String> missed = new ArrayList<>();
        for (String name : mutants.classes()) {
            int noticed = mutants.all(name) - mutants.alive(name).size();
            System.out.printf("%-16s %4d of %4d%n", name, noticed, mutants.all(name));
            missed.addAll(mutants.alive(name));
        }
        assertThat(mutants.classes()).hasSize(CLASSES.size());
        assertThat(missed).as("mutants that no test notices").isEmpty();
        assertThat(mutants.unseen()).as("listed as equivalent, and noticed or gone").isEmpty();
    }

    private static List<String> arguments() {
        return List.of(
                "--targetClasses",
                String.join(",", CLASSES.stream().map(name -> OURS + name + "*").toList()),
                "--targetTests",
                String.join(",", TESTS.stream().map(name -> OURS + name).toList()),
                "--reportDir",
                WORK.toString(),
                "--sourceDirs",
                HCA.resolveSibling("src/main/java").toString(),
                "--classPath",
                String.join(
                        ",",
                        HCA.resolve("classes").toString(),
                        HCA.resolve("test-classes").toString(),
                        ChildJvm.classPath().replace(File.pathSeparator, ",")),
                "--mutableCodePaths",
                HCA.resolve("classes").toString(),
                "--outputFormats",
                "XML,HTML",
                "--timestampedReports=false",
                "--threads",
                "1",
                "--timeoutConst",
                "4000",
                "--jvmArgs",
                String.join(",", ChildJvm.FLAGS));
    }
}
