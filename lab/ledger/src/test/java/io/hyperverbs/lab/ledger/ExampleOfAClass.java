package io.hyperverbs.lab.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link ClassRunsTest} runs: four tests by three methods. */
@RunsWhenChanged
class ExampleOfAClass {
    static boolean factoryHolds;
    static boolean toolIsThere;

    @InEachBuild
    @Test
    void runsInEachBuild() {
        assertThat(toString()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void needsATool(int which) {
        assumeTrue(toolIsThere || which == 1, "no tool");
    }

    @TestFactory
    Stream<DynamicTest> tests() {
        return Stream.of(
                DynamicTest.dynamicTest("one", () -> assertThat(factoryHolds).isTrue()));
    }
}
