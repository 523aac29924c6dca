package io.hyperverbs.launcher.topology;

import static io.hyperverbs.launcher.topology.TopologyLoaderTest.HEAD;
import static io.hyperverbs.launcher.topology.TopologyLoaderTest.failure;
import static io.hyperverbs.launcher.topology.TopologyLoaderTest.parse;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The key {@code checks} of topologies. */
class TopologyChecksTest {
    @Test
    void readsAttacksAsChecks() throws HvException {
        Topology topology = parse(HEAD
                + "guests: 1\n"
                + "checks:\n"
                + "  - { name: f, isolate: keys.foreign-rkey, expect:"
                + " REM_ACCESS_ERR }\n"
                + "  - { isolate: keys.wrap }\n");

        assertThat(topology.checks())
                .containsExactly(
                        new TopologyCheck("f", "keys.foreign-rkey", "REM_ACCESS_ERR"),
                        new TopologyCheck("check 2", "keys.wrap", "contained"));
        assertThat(topology.warnings()).isEmpty();
    }

    @Test
    void refusesAttacksAndStatusesThatAreNone() {
        HvException failure = failure(HEAD + "guests: 1\nchecks:\n  - { isolate: keys.warp, expect: OK }\n");

        assertThat(failure.problems()).extracting(Problem::line).containsExactly(5, 5);
        assertThat(failure.problems()).extracting(Problem::path).containsExactly("checks.0.isolate", "checks.0.expect");
        assertThat(failure.problems().getFirst().hint()).isEqualTo("did you mean 'keys.wrap'?");
    }

    @Test
    void attacksLikeNoneGetNoSuggestion() {
        HvException failure = failure(HEAD + "guests: 1\nchecks:\n  - { isolate: something.else.entirely }\n");

        assertThat(failure.problems().getFirst().hint()).isEqualTo("hv isolate --list shows all");
    }

    @Test
    void exampleOfChecksIsValid() throws HvException {
        Path file = Path.of("..", "examples", "isolation.hv.yaml");

        Topology topology = TopologyLoader.load(file, "isolation", new ExamplePrograms());

        assertThat(topology.checks()).hasSize(5);
        assertThat(topology.warnings()).isEmpty();
    }
}
