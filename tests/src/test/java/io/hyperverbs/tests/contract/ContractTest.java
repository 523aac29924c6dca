package io.hyperverbs.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.catalogue.Conformance;
import io.hyperverbs.lab.conformance.catalogue.ConformanceProgram;
import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.tests.machine.TestMachine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;

/**
 * Each case of the verbs contract, on each data path, in a domain of its own for each path. Two
 * paths at a time: much of a run is waiting for what must not come. Of the access matrix, which is
 * checked whole without processes too, each path takes another sixteenth. Unary differs from
 * forwarded in how posts and polls travel: it takes a third of what posts and polls. Which ones
 * {@code -Dseed} says. {@code hv check --conformance} takes all on each.
 */
@Order(1)
class ContractTest {
    private static final String UNARY = "forwarded-unary";

    private static final List<List<String>> PATHS = List.of(List.of("native", "forwarded"), List.of("bypass", UNARY));

    private static final String MATRIX = "access.matrix-";

    /** Of so many cases of the access matrix each path takes one, and no two the same. */
    private static final int MATRIX_PART = 16;

    private static final List<String> ORDER = List.of("native", "bypass", "forwarded");

    /** Groups that post and poll to see how that goes, not what the HCA says to a key. */
    private static final Set<String> POSTING =
            Set.of("rc", "uc", "ud", "xrc", "srq", "cq", "channel", "errors", "multicast");

    /** Of so many cases of them unary takes one. */
    private static final int UNARY_PART = 3;

    private static final long SEED =
            Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 32));

    /** What a domain left when its program ended. */
    private record Run(int exitCode, List<String> console) {}

    private static TestMachine machine;

    @BeforeAll
    static void prepareMachine() throws Exception {
        machine = TestMachine.forLong();
    }

    @AfterAll
    static void takeMachineDown() throws Exception {
        machine.close();
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
                        cases(path).stream().map(ConformanceCase::name).toList();
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

    private static List<ConformanceCase> cases(String path) {
        if (path.equals(UNARY)) {
            return part(of(one -> POSTING.contains(one.group())), UNARY_PART, 0);
        }
        List<ConformanceCase> cases = new ArrayList<>(of(one -> !one.name().startsWith(MATRIX)));
        cases.addAll(part(of(one -> one.name().startsWith(MATRIX)), MATRIX_PART, ORDER.indexOf(path)));
        return cases;
    }

    private static List<ConformanceCase> of(Predicate<ConformanceCase> which) {
        return Conformance.cases().stream().filter(which).toList();
    }

    /** Every {@code of}-th case, from where the seed says; another number takes others. */
    private static List<ConformanceCase> part(List<ConformanceCase> cases, int of, int number) {
        int first = new SplittableRandom(SEED).nextInt(of);
        return IntStream.range(0, cases.size())
                .filter(i -> i % of == (first + number) % of)
                .mapToObj(cases::get)
                .toList();
    }

    private static Stream<DynamicNode> verdicts(String path, Run run) {
        Map<String, String> verdicts = new HashMap<>();
        for (String line : run.console()) {
            String[] words = line.split("[ :]", 3);
            if (words.length > 1 && (words[0].equals("PASS") || words[0].equals("FAIL"))) {
                verdicts.put(words[1], line);
            }
        }
        List<ConformanceCase> cases = cases(path);
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
        all = "seed " + SEED + "\n" + all;
        assertThat(run.console()).as(all).last().isEqualTo("cases " + cases + ", failed 0");
        assertThat(run.exitCode()).as(all).isZero();
    }
}
