package io.hyperverbs.tests.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

class ClassRunsTest {
    private static final String LEDGER = "of-classes";
    private static final String FILE = ClassSources.file(ExampleOfAClass.class);

    @BeforeEach
    void allHolds() throws Exception {
        ExampleOfAClass.factoryHolds = true;
        ExampleOfAClass.toolIsThere = true;
        forget();
    }

    @AfterEach
    void forget() throws Exception {
        Files.deleteIfExists(Sources.file("tests/src/test/resources/proofs/" + LEDGER + ".txt"));
    }

    private static TestExecutionSummary run(String proofs, DiscoverySelector what) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(what)
                                .configurationParameter(ClassRuns.LEDGER, LEDGER)
                                .configurationParameter(ClassRuns.PROOFS, proofs)
                                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                                .build(),
                        summary);
        return summary.getSummary();
    }

    private static TestExecutionSummary run() {
        return run(ClassRuns.CHANGED, selectClass(ExampleOfAClass.class));
    }

    private static boolean isNoted() throws IOException {
        return Ledger.of(LEDGER).isNoted(FILE, ClassSources.digest(ExampleOfAClass.class));
    }

    @Test
    void runsWholeUntilAllHasHeldAndThenWhatRunsInEachBuild() throws Exception {
        assertThat(run().getTestsSucceededCount()).isEqualTo(4);
        assertThat(isNoted()).isTrue();

        assertThat(run().getTestsStartedCount()).isEqualTo(1);
    }

    @Test
    void runsWholeAfterAChange() throws Exception {
        Ledger.of(LEDGER).note(FILE, "the digest of other sources");

        assertThat(run().getTestsSucceededCount()).isEqualTo(4);
        assertThat(isNoted()).isTrue();
    }

    @Test
    void runsAllOrNoneAsThePropertySays() {
        DiscoverySelector example = selectClass(ExampleOfAClass.class);

        assertThat(run("none", example).getTestsStartedCount()).isEqualTo(1);
        assertThat(run("all", example).getTestsStartedCount()).isEqualTo(4);
        assertThat(run("all", example).getTestsStartedCount()).isEqualTo(4);
    }

    @Test
    void isNotNotedWhereATestOfAFactoryFails() throws Exception {
        ExampleOfAClass.factoryHolds = false;

        assertThat(run().getTestsFailedCount()).isEqualTo(1);
        assertThat(isNoted()).isFalse();
    }

    @Test
    void isNotNotedWhereAToolIsMissing() throws Exception {
        ExampleOfAClass.toolIsThere = false;

        assertThat(run().getTestsAbortedCount()).isEqualTo(1);
        assertThat(isNoted()).isFalse();
    }

    @Test
    void isNotNotedWhereOneTestRanAlone() throws Exception {
        assertThat(run(ClassRuns.CHANGED, selectMethod(ExampleOfAClass.class, "runsInEachBuild"))
                        .getTestsSucceededCount())
                .isEqualTo(1);
        assertThat(isNoted()).isFalse();
    }

    @Test
    void dependsOnProductAndSharedSourcesButOnNoOtherTestAndNoLedger() throws Exception {
        List<String> sources = ClassSources.sources(ExampleOfAClass.class);

        assertThat(sources)
                .contains("hca-model/src/main", "lab/run/src/main", "toolstack/pom.xml", FILE)
                .doesNotContain("upper/mpi/src/main", ClassSources.file(ClassRunsTest.class))
                .noneMatch(source -> source.contains("/proofs/"))
                .allSatisfy(source -> assertThat(Sources.file(source)).exists());
    }

    @Test
    void branchesAreModulesAndNamedByTheirFolder() throws Exception {
        assertThat(ClassSources.modules()).containsAll(ClassSources.BRANCHES);
        for (Class<?> test : classes()) {
            assertThat(test.getAnnotation(RunsWhenChanged.class).value())
                    .as("branches of %s", test)
                    .isSubsetOf(ClassSources.BRANCHES);
        }
    }

    /** All that run when something has changed. */
    private static List<Class<?>> classes() throws Exception {
        String root = "tests/src/test/java/";
        try (Stream<Path> files = Files.walk(Sources.file(root))) {
            List<String> names = files.map(
                            file -> Sources.file(root).relativize(file).toString())
                    .filter(file -> file.endsWith("Test.java"))
                    .map(file ->
                            file.substring(0, file.length() - ".java".length()).replace('/', '.'))
                    .toList();
            List<Class<?>> classes = new ArrayList<>();
            for (String name : names) {
                Class<?> test = Class.forName(name, false, ClassRunsTest.class.getClassLoader());
                if (test.isAnnotationPresent(RunsWhenChanged.class) && !Modifier.isAbstract(test.getModifiers())) {
                    classes.add(test);
                }
            }
            return classes;
        }
    }
}
