package io.hyperverbs.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.catalogue.ConformanceProgram;
import io.hyperverbs.lab.ledger.Proof;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.tests.machine.TestMachine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;

/**
 * Cases of the verbs contract on each data path, in a domain of its own for each: which ones {@link
 * PathCases} says. Two paths at a time: much of a run is waiting for what must not come.
 */
@Order(1)
@RunsWhenChanged
class ContractTest {
    private static final List<List<String>> PATHS =
            List.of(List.of(PathCases.NATIVE, PathCases.FORWARDED), List.of(PathCases.BYPASS, PathCases.UNARY));

    /** What a domain left when its program ended. */
    private record Run(int exitCode, List<String> console) {}

    private static TestMachine machine;

    /** Paths on which all held. */
    private static int passed;

    @BeforeAll
    static void prepareMachine() throws Exception {
        machine = TestMachine.withoutKeyLockout();
    }

    @AfterAll
    static void takeMachineDown() throws Exception {
        machine.close();
        if (PathCases.FULL && passed == PATHS.stream().mapToInt(List::size).sum()) {
            Proof.CONTRACT.note();
        }
    }

    @TestFactory
    Stream<DynamicNode> holdsOn() {
        // The stream of a container is pulled when its turn comes: one pair after the other.
        return PATHS.stream()
                .map(pair -> dynamicContainer(
                        String.join(" and ", pair), Stream.of(pair).flatMap(ContractTest::verdicts)));
    }

    private static Stream<DynamicNode> verdicts(List<String> pair) {
        try {
            for (String path : pair) {
                List<String> args =
                        PathCases.of(path).stream().map(ConformanceCase::name).toList();
                machine.add(
                        CheckedPath.of(path).guest(),
                        InstalledPrograms.of(ConformanceProgram.class, args).withBrief(true));
            }
            List<DynamicNode> runs = new ArrayList<>();
            for (String path : pair) {
                int exitCode = machine.awaitEnd(path).exitCode();
                runs.add(dynamicContainer(path, verdicts(path, new Run(exitCode, machine.console(path)))));
            }
            return runs.stream();
        } catch (Exception e) {
            throw new AssertionError("no run of the cases on " + pair + ": " + e, e);
        }
    }

    private static Stream<DynamicNode> verdicts(String path, Run run) {
        Map<String, String> verdicts = new HashMap<>();
        for (String line : run.console()) {
            String[] words = line.split("[ :]", 3);
            if (words.length > 1 && (words[0].equals("PASS") || words[0].equals("FAIL"))) {
                verdicts.put(words[1], line);
            }
        }
        List<ConformanceCase> cases = PathCases.of(path);
        DynamicNode end = dynamicTest("run ends well", () -> expectGoodEnd(cases.size(), run));
        return Stream.concat(cases.stream().map(one -> test(one, verdicts)), Stream.of(end));
    }

    private static DynamicNode test(ConformanceCase one, Map<String, String> verdicts) {
        return dynamicTest(
                one.name(),
                () -> assertThat(verdicts.getOrDefault(one.name(), "no verdict"))
                        .as(one.rule())
                        .isEqualTo("PASS " + one.name()));
    }

    private static void expectGoodEnd(int cases, Run run) {
        String all = String.join("\n", run.console());
        all = "seed " + PathCases.SEED + "\n" + all;
        assertThat(run.console()).as(all).last().isEqualTo("cases " + cases + ", failed 0");
        assertThat(run.exitCode()).as(all).isZero();
        passed++;
    }
}
