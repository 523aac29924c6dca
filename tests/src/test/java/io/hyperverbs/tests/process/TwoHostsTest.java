package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.hosts.HostsFile;
import io.hyperverbs.launcher.machine.MachineFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A test class of a topology over two hosts, which are addresses of one computer: each has a VMM of its own. */
abstract class TwoHostsTest {
    private static final String TOPOLOGY = """
        apiVersion: hv/v1
        name: two
        hosts: { n1: { address: 127.21.0.1 }, n2: { address: 127.21.0.2 %s } }
        hcas: { hv0: { host: n1, core: shared }, hv1: { host: n2, core: shared } }
        guests: { a: {}, b: { hca: hv1 } }
        """;

    @TempDir
    Path folder;

    HvProcess hv;

    @BeforeEach
    void newProcesses() throws Exception {
        hv = new HvProcess();
    }

    @AfterEach
    void down() throws Exception {
        hv.close();
    }

    Path topology(String more) throws Exception {
        return Files.writeString(folder.resolve("two.hv.yaml"), TOPOLOGY.formatted(more));
    }

    void up() throws Exception {
        hv.run(Duration.ofMinutes(5), "-t", topology("").toString(), "up", "-d").expect(0);
    }

    Process start(String name, String... args) throws Exception {
        return hv.start(folder.resolve(name + ".out"), folder.resolve(name + ".err"), args);
    }

    String out(String name) throws Exception {
        return Files.readString(folder.resolve(name + ".out"));
    }

    void expectWell(Process process, String name) throws Exception {
        assertThat(process.waitFor(4, TimeUnit.MINUTES)).as("%s ends", name).isTrue();
        assertThat(process.exitValue())
                .as("%s: %s %s", name, out(name), Files.readString(folder.resolve(name + ".err")))
                .isZero();
    }

    /** What {@code hv ps} shows, as host and domain. */
    static List<String> domains(HvProcess.Outcome ps) {
        List<String> domains = new ArrayList<>();
        for (JsonNode domain : ps.json().get("domains")) {
            domains.add(domain.get("host").asString() + " " + domain.get("name").asString());
        }
        return domains;
    }

    HostsFile hosts() throws Exception {
        return HostsFile.read(new MachineFolder("two", hv.state("two")));
    }

    void expectNothingLeft() throws Exception {
        try (Stream<Path> left = Files.list(hv.state("two").getParent())) {
            assertThat(left).isEmpty();
        }
    }
}
