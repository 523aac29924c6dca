package io.hyperverbs.tests.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.ledger.Sources;
import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.run.inprocess.InProcessField;
import io.hyperverbs.lab.run.walk.StoreLink;
import io.hyperverbs.lab.run.walk.WalkDomains;
import io.hyperverbs.lab.run.walk.WalkRun;
import io.hyperverbs.lab.walk.agent.WalkAgent;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.tests.machine.TestMachine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Domains on different paths talk to each other, and nothing diverges from the model. */
@Order(3)
@RunsWhenChanged
class WalkTest {
    private static final Duration SHRINK_LIMIT = Duration.ofMinutes(1);

    private static TestMachine machine;

    /** Which domains walk together, and how far. */
    private record Walk(List<CheckedPath> paths, int steps) {}

    private static final List<Walk> WALKS = List.of(
            new Walk(List.of(CheckedPath.NATIVE, CheckedPath.BYPASS), 4000),
            new Walk(List.of(CheckedPath.BYPASS, CheckedPath.FORWARDED), 1500),
            new Walk(List.of(CheckedPath.FORWARDED, CheckedPath.FORWARDED_UNARY), 500));

    /** Together with those: a hundred thousand. */
    private static final int STEPS_IN_PROCESS = 94_000;

    @BeforeAll
    static void prepareMachine() throws Exception {
        machine = TestMachine.withoutKeyLockout();
    }

    @AfterAll
    static void takeMachineDown() throws Exception {
        machine.close();
    }

    @TestFactory
    Stream<DynamicTest> neverDivergesOn() {
        long seed = Sources.seed();
        return WALKS.stream().map(walk -> DynamicTest.dynamicTest(walk.toString(), () -> walk(walk, seed)));
    }

    @InEachBuild
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void neverDivergesInOneProcess(int domains, @TempDir Path folder) throws Exception {
        long seed = Sources.seed();
        try (InProcessField field = new InProcessField(domains, folder, UnaryOperator.identity())) {
            var found = new WalkRun(field, SHRINK_LIMIT).run(seed, 0, STEPS_IN_PROCESS / 3 + 1, more -> {});

            assertThat(found).as("seed %d", seed).isEmpty();
        }
    }

    private static void walk(Walk walk, long seed) throws Exception {
        int number = 0;
        List<StoreLink> links = new ArrayList<>();
        for (CheckedPath path : walk.paths()) {
            Guest guest = WalkDomains.guest(path, WALKS.indexOf(walk) * 2 + number);
            List<String> args = List.of(
                    Integer.toString(number++), Integer.toString(walk.paths().size()));
            machine.add(guest, InstalledPrograms.of(WalkAgent.class, args));
            links.add(new StoreLink(machine.client(), guest.name()));
        }
        WalkDomains domains = WalkDomains.of(links);

        var found = new WalkRun(domains, SHRINK_LIMIT).run(seed, 0, walk.steps(), more -> {});
        domains.end();

        assertThat(found).as("seed %d", seed).isEmpty();
        for (StoreLink link : links) {
            assertThat(machine.awaitEnd(link.name()).exitCode()).as(link.name()).isZero();
        }
    }
}
