package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Guests of two HCAs exchange messages: each in a device domain of its own, joined by UDP over loopback addresses. */
class LinkedHcasTest {
    private static final String TOPOLOGY = """
        apiVersion: hv/v1
        name: linked
        hcas: { hv0: { core: shared }, hv1: { core: shared } }
        links: { hv0-hv1: {} }
        guests: { a: {}, b: { hca: hv1 } }
        """;

    @TempDir
    Path folder;

    private HvProcess hv;

    @BeforeEach
    void up() throws Exception {
        Path file = folder.resolve("linked.hv.yaml");
        Files.writeString(file, TOPOLOGY);
        hv = new HvProcess();
        hv.run("-t", file.toString(), "up", "-d").expect(0);
    }

    @AfterEach
    void down() throws Exception {
        hv.close();
    }

    private Process start(String name, String... args) throws Exception {
        return hv.start(folder.resolve(name + ".out"), folder.resolve(name + ".err"), args);
    }

    private String err(String name) throws Exception {
        return Files.readString(folder.resolve(name + ".err"));
    }

    private void expectWell(Process process, String name) throws Exception {
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("%s ends", name).isTrue();
        assertThat(process.exitValue()).as("%s: %s", name, err(name)).isZero();
    }

    @Test
    void messagesOfAnySizeGoFromOneToTheOther() throws Exception {
        for (String size : new String[] {"1", "4096", "65536"}) {
            Process listener = start("b", "run", "--in", "b", "pingpong", "-s", size, "-n", "500", "-w", "0");
            Process caller = start("a", "run", "--in", "a", "pingpong", "-s", size, "-n", "500", "-w", "0", "b");

            expectWell(caller, "a");
            expectWell(listener, "b");
        }
    }

    @Test
    void aDeviceDomainThatDiesIsSeenByTheOthersPeersAlone() throws Exception {
        start("b", "run", "--in", "b", "pingpong", "-n", "300000");
        Process caller = start("a", "run", "--in", "a", "pingpong", "-n", "300000", "b");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.readString(folder.resolve("a.out")).contains("remote address"));

        for (JsonNode domain : hv.run("ps", "--format", "json").expect(0).json().get("domains")) {
            if (domain.get("name").asString().equals("hv1")) {
                ProcessHandle.of(domain.get("pid").asLong()).orElseThrow().destroyForcibly();
            }
        }

        assertThat(caller.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(caller.exitValue()).isNotZero();
        assertThat(err("a")).contains("RETRY_EXC_ERR");
        // The HCA that is left serves its guest.
        assertThat(hv.run("devinfo", "a").expect(0).out()).contains("hv0");
    }
}
