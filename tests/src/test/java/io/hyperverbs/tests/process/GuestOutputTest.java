package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.LoggingProgram;
import io.hyperverbs.tests.programs.OneOfEach;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the operator reads of guests: their consoles, and what {@code ps} and {@code inspect} say. */
@RunsWhenChanged
class GuestOutputTest extends MachineTest {
    @InEachBuild
    @Test
    void logsOfLibrariesAreNotOnTheConsoleOfAProgram() throws Exception {
        machine().add("bypass", Map.of("logging", TestMachine.program(LoggingProgram.class)));
        assertThat(machine().awaitEnd("logging").exitCode()).isZero();

        HvProcess hv = new HvProcess(machine());

        // A logger's line with the date and place, and one with level and message.
        assertThat(hv.run("logs", "logging").expect(0).out().lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("the first line"),
                        line -> assertThat(line).endsWith(LoggingProgram.class.getName() + " main"),
                        line -> assertThat(line).isEqualTo("SEVERE: of the program"),
                        line -> assertThat(line).isEqualTo("the last line"));
    }

    @Test
    void psAndInspectHaveNoEmptyFieldAndNumbersOfQueuePairsInHex() throws Exception {
        machine().add("bypass", Map.of("shown", TestMachine.program(OneOfEach.class)));
        machine().awaitKey("domain/shown/up");
        HvProcess hv = new HvProcess(machine());

        String table = hv.run("ps", "--wide").expect(0).out();
        String text = hv.run("inspect", "shown").expect(0).out();
        JsonNode object =
                hv.run("inspect", "shown", "--format", "json").expect(0).json();
        machine().client().stopDomain("shown", Duration.ofSeconds(5));

        assertThat(table.lines().map(line -> line.split(" +").length)).as(table).containsOnly(15);
        assertThat(table.lines().findFirst().orElseThrow().split(" +"))
                .containsExactly(
                        "TOPOLOGY NAME ID KIND PID MEM STATE QP CQ MR REGISTERED WEIGHT RATE MSG-RATE UP".split(" "));
        assertThat(table).containsPattern("test +shown +\\d+ +guest +\\d+ +64MiB +r----- .* +1 +- +- +\\d+s\n");
        assertThat(text.lines().filter(line -> line.matches(".*: +"))).isEmpty();
        assertThat(text)
                .containsPattern("lqpn 0x[0-9a-f]{6}  rqpn 0x[0-9a-f]{6}  state RTS")
                .containsPattern("srqn 0x[0-9a-f]{6}  ")
                .doesNotContainPattern("qpn (?!0x)");
        for (String time : List.of("date", "started")) {
            assertThat(object.findValues(time))
                    .isNotEmpty()
                    .allSatisfy(at -> assertThat(Instant.parse(at.asString())).isNotNull());
        }
        expectNoEmptyText(object, "");
    }

    private static void expectNoEmptyText(JsonNode node, String path) {
        if (node.isString()) {
            assertThat(node.asString()).as(path).isNotBlank();
        }
        node.properties().forEach(entry -> expectNoEmptyText(entry.getValue(), path + "." + entry.getKey()));
        node.values().forEach(value -> expectNoEmptyText(value, path + "[]"));
    }
}
