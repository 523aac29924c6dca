package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A topology that Slurm starts on two nodes, with networks of their own. */
@Order(2)
@SeveralEngines
@RunsWhenChanged
class SlurmTest {
    /** Four guests, two on each host. */
    private static final String TOPOLOGY = """
        apiVersion: hv/v1
        name: rack
        hosts: { n1: { address: 10.9.0.1 }, n2: { address: 10.9.0.2 } }
        hcas: { hv0: { host: n1, core: shared }, hv1: { host: n2, core: shared } }
        guests: { a: {}, b: { hca: hv1 }, c: {}, d: { hca: hv1 } }
        """;

    @TempDir
    Path folder;

    private SlurmCluster slurm;
    private HvProcess hv;

    @BeforeEach
    void newCluster() throws Exception {
        String missing = SlurmCluster.missing();
        assumeTrue(missing.isEmpty(), () -> "Slurm: " + missing);
        slurm = new SlurmCluster();
        hv = new HvProcess()
                .with("SLURM_CONF", slurm.configuration().toString())
                .under(slurm.within("op"));
        Path file = Files.writeString(folder.resolve("rack.hv.yaml"), TOPOLOGY);
        hv.run(Duration.ofMinutes(5), "-t", file.toString(), "up", "-d", "--launcher", "slurm")
                .expect(0);
    }

    @AfterEach
    void down() throws Exception {
        try {
            if (hv != null) {
                hv.close();
            }
        } finally {
            if (slurm != null) {
                slurm.close();
            }
        }
    }

    private Process start(String name, String... args) throws Exception {
        return hv.start(folder.resolve(name + ".out"), folder.resolve(name + ".err"), args);
    }

    private String out(String name) throws Exception {
        return Files.readString(folder.resolve(name + ".out"));
    }

    private static List<String> domains(HvProcess.Outcome ps) {
        List<String> domains = new ArrayList<>();
        for (JsonNode domain : ps.json().get("domains")) {
            domains.add(domain.get("host").asString() + " " + domain.get("name").asString());
        }
        return domains;
    }

    @Test
    void startsHostsWhoseGuestsConnectByNameAndEndsThem() throws Exception {
        assertThat(slurm.jobs()).hasSize(2);
        assertThat(domains(hv.run("ps", "--format", "json").expect(0)))
                .containsExactlyInAnyOrder("n1 hv0", "n1 a", "n1 c", "n2 hv1", "n2 b", "n2 d");
        // All pairs over the wire between the hosts, and one of one host beside them.
        for (List<String> pair : List.of(List.of("a", "b"), List.of("d", "a"), List.of("c", "d"), List.of("a", "c"))) {
            greet(pair.get(0), pair.get(1));
        }
        pingpong("a", "d");
        assertThat(hv.run(Duration.ofMinutes(5), "bench", "--quick", "--rounds", "1", "-s", "64", "-t", "rack")
                        .expect(0)
                        .err())
                .contains("from guest a@n1 (10.9.0.1) to guest b@n2 (10.9.0.2)");

        hv.processes();
        hv.run("down").expect(0);

        await().atMost(Duration.ofMinutes(1)).until(() -> slurm.jobs().isEmpty());
        assertThat(hv.state("rack").getParent()).isEmptyDirectory();
    }

    private void pingpong(String client, String server) throws Exception {
        Process listener = start(server, "run", "--in", server, "pingpong");

        HvProcess.Outcome caller =
                hv.run("run", "--in", client, "pingpong", "-s", "64", "-n", "100", "-w", "0", server);

        caller.expect(0);
        assertThat(caller.out()).contains("12800 bytes in ", "half-rtt: ");
        assertThat(listener.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(out(server)).contains("12800 bytes in ", "half-rtt: ");
    }

    private void greet(String client, String server) throws Exception {
        Process listener = start(server, "run", "--in", server, "examples/Greeting.java", "serve");

        HvProcess.Outcome caller = hv.run("run", "--in", client, "examples/Greeting.java", "call", server);

        caller.expect(0);
        assertThat(caller.out()).contains(server + " answers: come in");
        assertThat(listener.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(out(server)).contains(client + " calls: anybody there?").contains("hello from " + client);
    }

    @Test
    void aHostWhoseWireIsCutIsSeenAsGoneAndTheRestGoesOn() throws Exception {
        String program = getClass().getResource("ReadsByName.java").getPath();
        start("b", "run", "--in", "b", program, "offer");
        Process reader = start("a", "run", "--in", "a", program, "read", "b");
        await().atMost(Duration.ofMinutes(4)).until(() -> !reader.isAlive() || out("a").contains("reads"));

        slurm.cut("n2");

        assertThat(reader.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(out("a")).contains("reads: RETRY_EXC_ERR").contains("connection: DISCONNECTED");
        HvProcess.Outcome ps = hv.run("ps", "--format", "json").expect(1);
        assertThat(domains(ps)).containsExactlyInAnyOrder("n1 hv0", "n1 a", "n1 c");
        assertThat(ps.err()).contains("host n2: ");
        greet("a", "c");

        HvProcess.Outcome down = hv.run("down").expect(1);

        assertThat(down.err()).contains("host n2: ").contains("rack is down on the other hosts");
    }
}
