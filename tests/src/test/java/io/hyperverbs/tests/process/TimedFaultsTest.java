package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A topology does to itself what its file says, at the times that it says. */
@Order(2)
@SeveralEngines
@RunsWhenChanged
class TimedFaultsTest {
    private static final int INTERRUPTIONS = 15;
    private static final int FIRST_MILLIS = 2_000;
    private static final int EACH_MILLIS = 1_000;
    private static final int DOWN_MILLIS = 100;

    /** With ack timeout 16 each comes after 0.27 s: an interruption is over by the first. */
    private static final int RETRIES = 6;

    @TempDir
    Path folder;

    private HvProcess hv;

    @BeforeEach
    void newProcesses() throws Exception {
        hv = new HvProcess();
    }

    @AfterEach
    void down() throws Exception {
        hv.close();
    }

    private static String topology() {
        StringBuilder text = new StringBuilder("""
            apiVersion: hv/v1
            name: timed
            hcas: { hv0: { core: shared }, hv1: { core: shared } }
            links: { hv0-hv1: { delay: 1us } }
            guests:
              a: { app: { main: KeepsReading.java, args: [read, b, 16] } }
              b: { hca: hv1, app: { main: KeepsReading.java, args: [offer, a, 16] } }
            faults:
              - { at: 20s, kill: hv1 }
            """);
        for (int i = 0; i < INTERRUPTIONS; i++) {
            int at = FIRST_MILLIS + i * EACH_MILLIS;
            text.append("  - { at: %dms, link: hv0-hv1, set: down }\n".formatted(at));
            text.append("  - { at: %dms, link: hv0-hv1, set: up }\n".formatted(at + DOWN_MILLIS));
        }
        return text.toString();
    }

    @Test
    void aLinkIsInterruptedByTimeAndAnHcaIsGoneByTime() throws Exception {
        Path program = Path.of(getClass().getResource("KeepsReading.java").toURI());
        Files.copy(program, folder.resolve("KeepsReading.java"));
        Path file = Files.writeString(folder.resolve("timed.hv.yaml"), topology());

        HvProcess.Outcome up = hv.run("-t", file.toString(), "up", "--wait=done");

        String printed = hv.run("logs", "a").expect(0).out();
        assertThat(printed).as("%s", up).containsPattern("after [0-9]+ reads: RETRY_EXC_ERR");
        // More than the last read's own tries: reads that a link interrupted were made again, and none of them failed.
        assertThat(retransmitted()).isGreaterThan(RETRIES);
        assertThat(faults("planned")).isEqualTo(2 * INTERRUPTIONS + 1);
        assertThat(faults("done")).isEqualTo(faults("planned"));
        assertThat(faults("failed")).isZero();
        assertThat(hv.run("link").expect(0).out()).contains("state GONE");
        assertThat(hv.run("logs", "vmm").expect(0).out())
                .contains("fault 1 of 31, at 2.000 s: link hv0-hv1 down=true delay=1us")
                .contains("fault 2 of 31, at 2.100 s: link hv0-hv1 delay=1us")
                .contains("fault 31 of 31, at 20.000 s: kill hv1");
    }

    private int retransmitted() throws Exception {
        String statistics = hv.run("rdma", "statistic").expect(0).out();
        Matcher matcher = Pattern.compile("retransmitted_packets ([0-9]+)").matcher(statistics);
        assertThat(matcher.find()).as(statistics).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    private int faults(String count) throws Exception {
        JsonNode machine = hv.run("inspect", "--format", "json").expect(0).json();
        return machine.get("faults").get(count).asInt();
    }
}
