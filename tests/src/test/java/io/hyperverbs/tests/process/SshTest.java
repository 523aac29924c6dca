package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.InEachBuild;
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

/** A topology that real ssh starts on two hosts, which are addresses of this computer with one server. */
@Order(2)
@SeveralEngines
@RunsWhenChanged
class SshTest {
    private static final String TOPOLOGY = """
        apiVersion: hv/v1
        name: two
        hosts: { n1: { address: 127.25.0.1, target: first }, n2: { address: 127.25.0.2, target: second } }
        hcas: { hv0: { host: n1, core: shared }, hv1: { host: n2, core: shared } }
        guests: { a: {}, b: { hca: hv1 } }
        """;

    @TempDir
    Path folder;

    private HvProcess hv;
    private SshServer server;

    @BeforeEach
    void startServer() throws Exception {
        String missing = SshServer.missing();
        assumeTrue(missing.isEmpty(), () -> "ssh: " + missing);
        hv = new HvProcess();
        server = new SshServer(
                Files.createDirectory(folder.resolve("ssh")),
                List.of("127.25.0.1", "127.25.0.2"),
                List.of("XDG_RUNTIME_DIR=" + hv.runtime(), "JAVA_HOME=" + System.getProperty("java.home")));
        hv.with("PATH", server.client(List.of("first", "second")) + ":" + System.getenv("PATH"));
    }

    @AfterEach
    void end() throws Exception {
        try {
            if (hv != null) {
                hv.close();
            }
        } finally {
            if (server != null) {
                server.close();
            }
        }
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
        Path file = Files.writeString(folder.resolve("two.hv.yaml"), TOPOLOGY);
        HvProcess.Outcome up = hv.run(Duration.ofMinutes(5), "-t", file.toString(), "up", "-d", "--launcher", "ssh");
        assertThat(up.exit()).as(() -> up.err() + server.log()).isZero();
        assertThat(up.err()).contains("on 2 hosts by ssh");

        assertThat(server.logins()).isEqualTo(2);
        assertThat(domains(hv.run("ps", "--format", "json").expect(0)))
                .containsExactlyInAnyOrder("n1 hv0", "n1 a", "n2 hv1", "n2 b");
        Path out = folder.resolve("b.out");
        Process listener = hv.start(out, folder.resolve("b.err"), "run", "--in", "b", "pingpong", "-s", "64");
        HvProcess.Outcome caller = hv.run("run", "--in", "a", "pingpong", "-n", "50", "-w", "0", "b")
                .expect(0);
        assertThat(caller.out()).contains("6400 bytes in ");
        assertThat(listener.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(out)).contains("6400 bytes in ");

        hv.processes();
        hv.run("down").expect(0);

        await().atMost(Duration.ofMinutes(1)).until(() -> server.logins() == 0);
        assertThat(hv.state("two").getParent()).isEmptyDirectory();
    }

    @InEachBuild
    @Test
    void aHostWhoseKeyIsNotKnownIsRefusedWithoutAQuestion() throws Exception {
        Path file = Files.writeString(folder.resolve("two.hv.yaml"), TOPOLOGY);
        Files.writeString(folder.resolve("ssh/known_hosts"), "");

        HvProcess.Outcome up =
                hv.run("-t", file.toString(), "up", "-d", "--launcher", "ssh").expect(1);

        assertThat(up.err()).contains("did not start: Host key verification failed.");
        await().atMost(Duration.ofMinutes(1)).until(() -> server.logins() == 0);
        assertThat(hv.state("two").getParent()).isEmptyDirectory();
    }
}
