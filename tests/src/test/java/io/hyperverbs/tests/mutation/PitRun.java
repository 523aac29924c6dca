package io.hyperverbs.tests.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.tests.jvm.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.ParserConfigurationException;
import org.xml.sax.SAXException;

/** PIT over classes of one part, by the part's tests; {@code target/pit} has the reports. */
final class PitRun {
    private static final Path WORK = Path.of("target/pit").toAbsolutePath();
    private static final Path EQUIVALENT = Path.of("src/test/resources/proofs/equivalent-mutants.txt");
    private static final String MAIN = "org.pitest.mutationtest.commandline.MutationCoverageReport";

    private PitRun() {}

    /**
     * Mutates them; fails unless tests notice as many mutants of each as the part says.
     *
     * @param temporary of the tests: PIT kills JVMs that hang, and they leave their files
     */
    static void assertNoticed(Part part, List<MutatedClass> classes, Path temporary)
            throws IOException, InterruptedException, ParserConfigurationException, SAXException {
        Path work = WORK.resolve(part.word());
        int exit = new ChildJvm(work, "log")
                .run(List.of(), MAIN, arguments(part, classes, work, temporary), Duration.ofMinutes(30));
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
        assertThat(mutants.classes())
                .containsExactlyInAnyOrderElementsOf(
                        classes.stream().map(MutatedClass::simpleName).toList());
        assertThat(missed).as("mutants that no test notices").isEmpty();
        assertThat(mutants.unseen())
                .as("listed as equivalent, and noticed or gone")
                .isEmpty();
    }

    private static List<String> arguments(Part part, List<MutatedClass> classes, Path work, Path temporary) {
        Path compiled = part.folder().resolve("target/classes");
        return List.of(
                "--targetClasses",
                String.join(",", classes.stream().map(MutatedClass::pattern).toList()),
                "--targetTests",
                part.tests(),
                "--reportDir",
                work.toString(),
                "--sourceDirs",
                part.folder().resolve("src/main/java").toString(),
                "--classPath",
                String.join(
                        ",",
                        compiled.toString(),
                        part.folder().resolve("target/test-classes").toString(),
                        ChildJvm.classPath().replace(File.pathSeparator, ",")),
                "--mutableCodePaths",
                compiled.toString(),
                "--outputFormats",
                "XML,HTML",
                "--timestampedReports=false",
                "--threads",
                "2",
                "--timeoutConst",
                "4000",
                "--jvmArgs",
                Stream.concat(ChildJvm.FLAGS.stream(), Stream.of("-Djava.io.tmpdir=" + temporary))
                        .collect(Collectors.joining(",")));
    }
}
