package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Guests of two HCAs exchange messages: each in a device domain of its own, joined by UDP over loopback addresses. */
@Order(2)
@SeveralEngines
@RunsWhenChanged
class LinkedHcasTest {
    private static final String TOPOLOGY = """
        apiVersion: hv/v1
        name: linked
        hcas: { hv0: { core: shared }, hv1: { core: shared } }
        links: { hv0-hv1: { %s } }
        guests: { a: {}, b: { hca: hv1 } }
        """;

    @TempDir
    Path folder;

    private HvProcess hv;

    @BeforeEach
    void newProcesses() throws Exception {
        hv = new HvProcess();
    }

    private void up(String settings) throws Exception {
        Path file = folder.resolve("linked.hv.yaml");
        Files.writeString(file, TOPOLOGY.formatted(settings));
        hv.run("-t", file.toString(), "up", "-d").expect(0);
    }

    @AfterEach
    void down() throws Exception {
        hv.close();
    }

    private Process start(String name, String... args) throws Exception {
        return hv.start(folder.resolve(name + ".out"), folder.resolve(name + ".err"), args);
    }

    /** What a guest that {@link #start} started has said; nothing of another. */
    private String err(String name) throws Exception {
        Path err = folder.resolve(name + ".err");
        return Files.exists(err) ? Files.readString(err) : "";
    }

    private void expectWell(Process process, String name) throws Exception {
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("%s ends", name).isTrue();
        if (process.exitValue() != 0) {
            // A peer that has failed too, or packets that nobody answers: what one end says is not enough.
            throw new AssertionError("%s: exit code %d%na: %s%nb: %s%n%s"
                    .formatted(name, process.exitValue(), err("a"), err("b"), counters()));
        }
    }

    @Test
    void messagesOfAnySizeGoFromOneToTheOther() throws Exception {
        up("");
        for (String size : List.of("1", "4096", "65536")) {
            pingpong(size, 500);
        }
        assertThat(counters().get("link_losses")).isZero();
    }

    @Test
    void messagesArriveOverALinkThatLosesThem() throws Exception {
        up("loss: 2%, duplicate: 1%, reorder: 1%, corrupt: 1%");
        pingpong("8192", 300);

        Map<String, Long> counted = counters();
        assertThat(counted).containsEntry("rx_send_requests", 600L);
        for (String counter : List.of("link_losses", "link_duplicates", "link_reorderings", "link_corruptions")) {
            assertThat(counted.get(counter)).as("%s of %s", counter, counted).isPositive();
        }
    }

    @InEachBuild
    @Test
    void guestsConnectByTheirNames() throws Exception {
        up("");
        Process server = start("b", "run", "--in", "b", "examples/Greeting.java", "serve");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> !hv.run("rdma", "resource", "show", "cm_id", "state", "LISTEN")
                        .expect(0)
                        .out()
                        .isEmpty());

        HvProcess.Outcome client = hv.run("run", "--in", "a", "examples/Greeting.java", "call", "b");

        client.expect(0);
        assertThat(client.out()).contains("b answers: come in");
        expectWell(server, "b");
        assertThat(Files.readString(folder.resolve("b.out")))
                .contains("a calls: anybody there?")
                .contains("hello from a");
        assertThat(hv.run("rdma", "resource", "show", "cm_id").expect(0).out()).isEmpty();
    }

    private void pingpong(String size, int rounds) throws Exception {
        String count = Integer.toString(rounds);
        Process listener = start("b", "run", "--in", "b", "pingpong", "-s", size, "-n", count, "-w", "0");
        Process caller = start("a", "run", "--in", "a", "pingpong", "-s", size, "-n", count, "-w", "0", "b");

        expectWell(caller, "a");
        expectWell(listener, "b");
    }

    /** What all HCAs have counted together. */
    private Map<String, Long> counters() throws Exception {
        Map<String, Long> sums = new HashMap<>();
        Matcher matcher = Pattern.compile(" ([a-z_]+) ([0-9]+)")
                .matcher(hv.run("rdma", "statistic").expect(0).out());
        while (matcher.find()) {
            sums.merge(matcher.group(1), Long.parseLong(matcher.group(2)), Long::sum);
        }
        return sums;
    }

    @Test
    void aRunningLinkGoesDownAndUpAgainAndTakesOtherSettings() throws Exception {
        up("delay: 1us");
        List<Process> both = exchange();

        hv.run("link", "hv0-hv1", "down").expect(0);
        await().atMost(Duration.ofMinutes(2)).until(() -> both.stream().anyMatch(process -> !process.isAlive()));
        for (Process process : both) {
            // Who waits for a message only learns nothing.
            process.destroy();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(err("a") + err("b")).contains("RETRY_EXC_ERR");
        assertThat(links("delay", "duplicate")).containsOnly("DOWN 1us -");
        assertThat(counters().get("link_down_drops")).isPositive();

        hv.run("link", "hv0-hv1", "up").expect(0);
        assertThat(links("delay", "duplicate")).containsOnly("UP 1us -");
        pingpong("4096", 100);
        assertThat(links("duplicates")).containsOnly("UP 0");

        hv.run("link", "hv0-hv1", "duplicate=50%", "seed=5").expect(0);
        pingpong("4096", 100);
        assertThat(links("delay", "duplicate")).containsOnly("UP - 50%");
        assertThat(links("duplicates")).doesNotContain("UP 0");
        assertThat(hv.run("link", "hv1-hv0", "up").expect(4).err()).contains("it is called hv0-hv1");
    }

    /** State of each direction, and values of some keys. */
    private List<String> links(String... keys) throws Exception {
        List<String> links = new ArrayList<>();
        for (JsonNode link : hv.run("link", "--format", "json").expect(0).json().get("links")) {
            StringBuilder words = new StringBuilder(link.get("state").asString());
            for (String key : keys) {
                JsonNode value = link.get(key);
                words.append(' ').append(value == null || value.isNull() ? "-" : value.asString());
            }
            links.add(words.toString());
        }
        assertThat(links).hasSize(2);
        return links;
    }

    /** A long ping-pong that has begun: who calls, and who is called. */
    private List<Process> exchange() throws Exception {
        Process listener = start("b", "run", "--in", "b", "pingpong", "-n", "300000");
        Process caller = start("a", "run", "--in", "a", "pingpong", "-n", "300000", "b");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.readString(folder.resolve("a.out")).contains("remote address"));
        return List.of(caller, listener);
    }

    @Test
    void aDeviceDomainThatDiesIsSeenByTheOthersPeersAlone() throws Exception {
        up("");
        String program = getClass().getResource("KeepsReading.java").getPath();
        start("b", "run", "--in", "b", program, "offer", "a");
        Process reader = start("a", "run", "--in", "a", program, "read", "b");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.readString(folder.resolve("a.out")).contains("reads"));

        for (JsonNode domain : hv.run("ps", "--format", "json").expect(0).json().get("domains")) {
            if (domain.get("name").asString().equals("hv1")) {
                ProcessHandle.of(domain.get("pid").asLong()).orElseThrow().destroyForcibly();
            }
        }

        expectWell(reader, "a");
        assertThat(Files.readString(folder.resolve("a.out"))).contains("reads: RETRY_EXC_ERR");
        // The HCA that is left serves its guest.
        assertThat(hv.run("devinfo", "a").expect(0).out()).contains("hv0");
        assertThat(hv.run("link").expect(0).out().lines()).hasSize(2).allMatch(link -> link.endsWith(" state GONE"));
        assertThat(hv.run("link", "hv0-hv1", "down").expect(4).err())
                .contains("the device domain of hv1 does not run; hv ps shows it");
    }
}
