package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.vmm.domain.ProcessEnd;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A topology with two HCAs, from {@code hv up} to {@code hv down}. */
@Order(2)
@SeveralEngines
@RunsWhenChanged
class SeveralHcasTest {
    private static final String TOPOLOGY = """
        apiVersion: hv/v1
        name: two
        hcas: { hv0: { core: shared }, hv1: { core: shared } }
        guests: { a: {}, b: {}, c: { hca: hv1 }, d: { hca: hv1 } }
        """;
    private static final String GONE = "its HCA hv1 is gone: the device domain ended with exit code 137";

    @TempDir
    Path folder;

    private HvProcess hv;
    private Path file;

    @BeforeEach
    void up() throws Exception {
        file = folder.resolve("two.hv.yaml");
        Files.writeString(file, TOPOLOGY);
        hv = new HvProcess();
        HvProcess.Outcome up = hv.run("-t", file.toString(), "up", "-d").expect(0);
        assertThat(up.err()).contains("engines of all HCAs share cores with programs");
    }

    @AfterEach
    void down() throws Exception {
        hv.close();
    }

    private Process start(String name, String... args) throws Exception {
        return hv.start(folder.resolve(name + ".out"), folder.resolve(name + ".err"), args);
    }

    /** Two guests exchange so many messages; the process of the one that calls. */
    private Process exchange(String listener, String caller, String count) throws Exception {
        var _ = start(listener, "run", "--in", listener, "pingpong");
        return start(caller, "run", "--in", caller, "pingpong", "-n", count, listener);
    }

    private void expectWell(Process process, String name) throws Exception {
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as("%s", Files.readString(folder.resolve(name + ".err")))
                .isZero();
    }

    private Map<String, JsonNode> domains() throws Exception {
        Map<String, JsonNode> domains = new TreeMap<>();
        hv.run("ps", "--format", "json")
                .expect(0)
                .json()
                .get("domains")
                .forEach(domain -> domains.put(domain.get("name").asString(), domain));
        return domains;
    }

    @Test
    void eachPairUsesItsOwnHcaAndCommandsShowBoth() throws Exception {
        assertThat(hv.processes()).hasSize(6);
        Process first = exchange("b", "a", "1000");
        Process second = exchange("d", "c", "1000");
        expectWell(first, "a");
        expectWell(second, "c");

        Map<String, JsonNode> domains = domains();
        assertThat(domains.keySet()).containsExactly("a", "b", "c", "d", "hv0", "hv1");
        assertThat(domains.values().stream().map(one -> one.get("device").asString()))
                .containsExactly("hv0", "hv0", "hv1", "hv1", "hv0", "hv1");
        assertThat(hv.run("devinfo", "-l", "--format", "csv").expect(0).out().lines())
                .containsExactly("hca_id", "hv0", "hv1");
        assertThat(hv.run("devinfo", "c").expect(0).out())
                .contains("hca_id:\thv1", "port_lid:\t\t3")
                .doesNotContain("hv0");
        assertThat(hv.run("rdma", "statistic", "show", "link").expect(0).out().lines())
                .hasSize(4)
                .filteredOn(line -> line.startsWith("link hv1/1"))
                .noneMatch(line -> line.contains("tx_messages 0 "));
        assertThat(hv.run("inspect", "d", "--format", "json")
                        .expect(0)
                        .json()
                        .get("domains")
                        .get(0)
                        .get("device")
                        .asString())
                .isEqualTo("hv1");
        expectJournals();
        expectPorts();
    }

    private void expectJournals() throws Exception {
        List<String> all =
                hv.run("journal", "--format", "csv").expect(0).out().lines().toList();
        List<String> ofSecond = hv.run("journal", "-d", "hv1", "--format", "csv")
                .expect(0)
                .out()
                .lines()
                .toList();

        assertThat(all.getFirst()).startsWith("time,device,domain");
        assertThat(all).anyMatch(line -> line.contains(",hv0,a,")).anyMatch(line -> line.contains(",hv1,c,"));
        assertThat(ofSecond.subList(1, ofSecond.size())).isNotEmpty().allMatch(line -> line.contains(",hv1,"));
        assertThat(all.stream().skip(1).map(line -> line.substring(0, line.indexOf(','))))
                .isSorted();
    }

    private void expectPorts() throws Exception {
        assertThat(hv.run("port", "1", "down").expect(2).err()).contains("several devices: hv0, hv1");
        hv.run("port", "-d", "hv1", "1", "down").expect(0);

        assertThat(hv.run("port").expect(0).out().lines())
                .hasSize(4)
                .anyMatch(line -> line.startsWith("link hv0/1 state ACTIVE"))
                .anyMatch(line -> line.startsWith("link hv1/1 state DOWN"));
        hv.run("port", "-d", "hv2").expect(4);
    }

    @Test
    void theDeathOfADeviceDomainIsThatOfItsGuestsAlone() throws Exception {
        List<ProcessHandle> processes = hv.processes();
        long second = domains().get("hv1").get("pid").asLong();
        Process exchange = exchange("b", "a", "30000");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.readString(folder.resolve("a.out")).contains("remote address"));

        ProcessHandle.of(second).orElseThrow().destroyForcibly();
        assertThat(exchange.isAlive()).as("messages go on beside the death").isTrue();

        await().atMost(Duration.ofMinutes(1))
                .until(() -> domains().get("c").get("state").asString().equals("crashed"));
        JsonNode c = hv.run("inspect", "c", "--format", "json")
                .expect(0)
                .json()
                .get("domains")
                .get(0);
        assertThat(c.get("message").asString()).isEqualTo(GONE);
        assertThat(c.get("exit_code").asInt()).isEqualTo(137);
        expectWell(exchange, "a");
        expectWell(exchange("b", "a", "1000"), "a");
        assertThat(hv.run("devinfo", "-l", "--format", "csv").expect(0).out().lines())
                .containsExactly("hca_id", "hv0");
        assertThat(hv.run("run", "-d", "hv1", "pingpong").expect(1).err())
                .contains("the device domain of HCA hv1 does not run");

        hv.run("down").expect(0);

        assertThat(processes).allMatch(ProcessEnd::hasEnded);
        assertThat(hv.state("two")).doesNotExist();
    }
}
