package io.hyperverbs.lab.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

class ClassRunsTest {
    private static final String MODULE = "lab/ledger";
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
        Path file = Sources.file(MODULE + Ledger.FOLDER + LEDGER + ".txt");
        if (Files.deleteIfExists(file)) {
            // These were made for that file.
            Files.delete(file.getParent());
            Files.delete(file.getParent().getParent());
        }
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
        return Ledger.of(MODULE, LEDGER).isNoted(FILE, ClassSources.digest(ExampleOfAClass.class));
    }

    @Test
    void runsWholeUntilAllHasHeldAndThenWhatRunsInEachBuild() throws Exception {
        assertThat(run().getTestsSucceededCount()).isEqualTo(4);
        assertThat(isNoted()).isTrue();

        assertThat(run().getTestsStartedCount()).isEqualTo(1);
    }

    @Test
    void runsWholeAfterAChange() throws Exception {
        Ledger.of(MODULE, LEDGER).note(FILE, "the digest of other sources");

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
}
