package io.hyperverbs.launcher.topology;

import static io.hyperverbs.launcher.topology.TopologyLoaderTest.HEAD;
import static io.hyperverbs.launcher.topology.TopologyLoaderTest.failure;
import static io.hyperverbs.launcher.topology.TopologyLoaderTest.parse;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.vmm.domain.Executables;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Executables of the computer in topologies. */
class GuestExecutablesTest {
    @Test
    void aGuestHasRoomForExecutablesIfTheFileSaysSo() throws HvException {
        Topology topology = parse(
                HEAD + "guests: { a: {}, b: { executables: {} }, c: { executables: { count: 5, memory: 1GiB } } }\n");

        assertThat(topology.guests())
                .extracting(Guest::executables)
                .containsExactly(Executables.NONE, new Executables(2, 128 << 20), new Executables(5, 1 << 30));
        assertThat(topology.guests().getLast().settings())
                .containsEntry("executables.count", "5")
                .containsEntry("executables.memory", Long.toString(1 << 30));
    }

    @Test
    void aGuestRunsAnExecutable() throws HvException {
        Topology topology =
                parse(HEAD + "guests: { a: { executables: {}, app: { exec: [ib_send_lat, -s, 64, b] } } }\n");

        assertThat(topology.guests().getFirst().app())
                .contains(Guest.App.executable(List.of("ib_send_lat", "-s", "64", "b")))
                .map(Guest.App::line)
                .contains("ib_send_lat -s 64 b");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        executables: {}, app: { exec: [x], main: y }           | guests.a.app      | exec stands alone | main
        executables: {}, app: { exec: [x], args: [y] }         | guests.a.app      | exec stands alone | main
        app: { exec: [x] }                                     | guests.a.app.exec | a has no room for executables | executables: {}
        native: true, executables: {}, app: { exec: [x] }      | guests.a.app.exec | a native domain runs no | leave native out
        """)
    void saysWhyAGuestRunsNoExecutable(String guest, String path, String what, String hint) {
        Problem problem =
                failure(HEAD + "guests: { a: { " + guest + " } }\n").problems().getFirst();

        assertThat(problem.line()).isEqualTo(3);
        assertThat(problem.path()).startsWith(path);
        assertThat(problem.what()).contains(what);
        assertThat(problem.hint()).contains(hint);
    }
}
