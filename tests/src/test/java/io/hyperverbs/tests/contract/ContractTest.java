package io.hyperverbs.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.toolstack.check.CheckedPath;
import io.hyperverbs.toolstack.conformance.Conformance;
import io.hyperverbs.toolstack.conformance.ConformanceCase;
import io.hyperverbs.toolstack.conformance.ConformanceProgram;
import io.hyperverbs.toolstack.conformance.rig.TableShare;
import io.hyperverbs.toolstack.machine.Program;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Each case of the verbs contract, on each data path, in a domain of its own for each path. Two
 * paths at a time: much of a run is waiting for what must not come. Of the access matrix, which is
 * checked whole without processes too, each path takes another sixteenth. Which ones {@code -Dseed}
 * says. Unary differs from forwarded in how posts and polls travel: it takes a third of what posts
 * and polls. {@code hv check --conformance} takes all on each.
 */
@Order(1)
class ContractTest {
    private static final String UNARY = "forwarded-unary";

    private static final List<List<String>> PATHS =
            List.of(List.of("native", "forwarded"), List.of("bypass", UNARY));

    /** Of so many parts of the access matrix each path takes one. */
    private static final int PARTS = 16;

    /** Neighbours take neighbouring parts. */
    private static final List<String> ORDER = List.of("native", "bypass", "forwarded", UNARY);

    /** Groups that post and poll to see how that goes, not what the card says to a key. */
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
        machine = new TestMachine(List.of(TestMachine.guest("idle", "bypass")), Map.of());
    }

    @AfterAll
    static void takeMachineDown() throws Exception {
        machine.close();
    }

    @TestFactory
    Stream<DynamicNode> holdsOn() {
        // The stream of a container is pulled when its turn comes: one pair after the other.
        return PATHS.stream()
                .map(
                        pair ->
                                dynamicContainer(
                                        String.join(" and ", pair),
                                        Stream.of(pair).flatMap(ContractTest::verdicts)));
    }

    private static Stream<DynamicNode> verdicts(List<String> pair) {
        try {
            for (String path : pair) {
                List<String> args = new ArrayList<>(List.of("--share", share(path)));
                if (path.equals(UNARY)) {
                    // Where none is named all are meant.
                    cases(path).forEach(one -> args.add(one.name()));
                }
                machine.add(
                        CheckedPath.of(path).guest(),
                        new Program(ConformanceProgram.class.getName(), List.of(), args, true));
            }
            List<DynamicNode> runs = new ArrayList<>();
            for (String path : pair) {
                int exitCode = machine.awaitEnd(path).exitCode();
                runs.add(
                        dynamicContainer(
                                path, verdicts(path, new Run(exitCode, machine.console(path)))));
            }
            return runs.stream();
        } catch (Exception e) {
            throw new AssertionError("no run of the cases on " + pair + ": " + e, e);
        }
    }

    private static List<ConformanceCase> cases(String path) {
        if (!path.equals(UNARY)) {
            return Conformance.cases();
        }
        List<ConformanceCase> posting =
                Conformance.cases().stream().filter(one -> POSTING.contains(one.group())).toList();
        int first = new SplittableRandom(SEED).nextInt(UNARY_PART);
        return Arrays.stream(new TableShare(first, UNARY_PART).rows(posting.size()))
                .mapToObj(posting::get)
                .toList();
    }

    private static String share(String path) {
        int first = new SplittableRandom(SEED).nextInt(PARTS);
        return (first + ORDER.indexOf(path)) % PARTS + "/" + PARTS;
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
                () ->
                        assertThat(verdicts.getOrDefault(one.name(), "no verdict"))
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
