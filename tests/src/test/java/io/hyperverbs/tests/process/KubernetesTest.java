package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.hosts.HostPlace;
import io.hyperverbs.launcher.hosts.HostsFile;
import io.hyperverbs.launcher.hosts.Launcher;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.vmm.domain.ProcessEnd;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * An exported topology. There is no Kubernetes here: what a kubelet would do with the manifest is done by hand, which is to
 * put Secrets into files and to run the commands of the pods, each with a state folder of its own.
 */
@Order(2)
@SeveralEngines
@RunsWhenChanged
class KubernetesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String TOPOLOGY = """
        apiVersion: hv/v1
        name: two
        hosts: { n1: { address: 127.23.0.1, hv: %1$s }, n2: { address: 127.23.0.2, hv: %1$s } }
        hcas: { hv0: { host: n1, core: shared }, hv1: { host: n2, core: shared } }
        guests: { a: {}, b: { hca: hv1 } }
        """;

    @TempDir
    Path folder;

    private final Map<String, Process> nodes = new LinkedHashMap<>();
    private HvProcess hv;
    private Path file;

    @BeforeEach
    void writeTopology() throws Exception {
        hv = new HvProcess();
        Path script = Path.of("").toAbsolutePath().getParent().resolve("hv");
        file = Files.writeString(folder.resolve("two.hv.yaml"), TOPOLOGY.formatted(script));
    }

    @AfterEach
    void end() throws Exception {
        for (Process node : nodes.values()) {
            node.destroy();
        }
        for (Process node : nodes.values()) {
            assertThat(node.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
        hv.close();
    }

    private HvProcess.Outcome export(String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("-t", file.toString(), "export", "kubernetes", "--image", "hv:1"));
        words.addAll(List.of(more));
        return hv.run(words.toArray(String[]::new));
    }

    private static List<JsonNode> objects(String manifest) {
        List<JsonNode> objects = new ArrayList<>();
        new YAMLMapper()
                .readerFor(JsonNode.class)
                .<JsonNode>readValues(manifest)
                .forEachRemaining(objects::add);
        return objects;
    }

    /** As a kubelet: Secrets where the pod mounts them, a tmpfs of its own for its state, and its command. */
    private void run(List<JsonNode> objects) throws Exception {
        for (int i = 0; i < objects.size(); i += 2) {
            JsonNode secret = objects.get(i);
            JsonNode spec = objects.get(i + 1).get("spec");
            JsonNode container = spec.at("/containers/0");
            String host =
                    objects.get(i + 1).at("/metadata/labels/hyperverbs~1host").asString();
            assertThat(spec.at("/volumes/0/secret/secretName").asString())
                    .isEqualTo(secret.at("/metadata/name").asString());
            Path mounted = Files.createDirectory(folder.resolve(host));
            String mode = "r--------";
            assertThat(spec.at("/volumes/0/secret/defaultMode").asInt()).isEqualTo(0400);
            secret.get("data").properties().forEach(entry -> mount(mounted.resolve(entry.getKey()), entry, mode));
            List<String> command = new ArrayList<>();
            container.get("command").forEach(word -> command.add(word.asString()));
            String place = container.at("/volumeMounts/0/mountPath").asString();
            container.get("args").forEach(word -> command.add(word.asString().replace(place, mounted.toString())));
            nodes.put(host, start(host, command));
        }
    }

    private static void mount(Path place, Map.Entry<String, JsonNode> entry, String mode) {
        try {
            Files.write(place, entry.getValue().binaryValue());
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(mode));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Process start(String host, List<String> command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve(host + ".out").toFile())
                .redirectError(folder.resolve(host + ".err").toFile());
        builder.environment().put("XDG_RUNTIME_DIR", state(host).toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    /** Beside the test's own folders, whose paths are too long for sockets. */
    private Path state(String host) throws IOException {
        Path state = hv.runtime().resolve("k" + host);
        return Files.isDirectory(state) ? state : Files.createDirectory(state);
    }

    /** As the readiness probe of the pod asks. */
    private void awaitReady(List<JsonNode> objects) {
        for (JsonNode object : objects) {
            JsonNode probe = object.at("/spec/containers/0/readinessProbe/tcpSocket");
            if (!probe.isMissingNode()) {
                InetSocketAddress place = new InetSocketAddress(
                        probe.get("host").asString(), probe.get("port").asInt());
                await().atMost(PATIENCE).until(() -> answers(place) || hasEnded());
            }
        }
        nodes.forEach(
                (host, node) -> assertThat(node.isAlive()).as(() -> said(host)).isTrue());
    }

    private boolean hasEnded() {
        return nodes.values().stream().anyMatch(node -> !node.isAlive());
    }

    private String said(String host) {
        try {
            return Files.readString(folder.resolve(host + ".out")) + Files.readString(folder.resolve(host + ".err"));
        } catch (IOException e) {
            return String.valueOf(e);
        }
    }

    private static boolean answers(InetSocketAddress place) {
        try (Socket socket = new Socket()) {
            socket.connect(place);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void expectNothingLeft() throws Exception {
        for (String host : nodes.keySet()) {
            Path root = onlyFile(state(host));
            assertThat(root).as(host).isEmptyDirectory();
            Files.delete(root);
            Files.delete(state(host));
        }
    }

    private static Path onlyFile(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findFirst().orElseThrow();
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
    void commandsReachWhatTheManifestStartedAndDownEndsIt() throws Exception {
        Path manifest = folder.resolve("two.yaml");
        assertThat(export("-o", manifest.toString(), "--port", "4791").expect(0).err())
                .contains(manifest + " holds the keys of 2 hosts; kubectl create -f " + manifest + " starts two");
        assertThat(Files.getPosixFilePermissions(manifest)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        HostsFile kept = HostsFile.read(new MachineFolder("two", hv.state("two")));
        assertThat(kept.launcher()).isEqualTo(Launcher.KUBERNETES);
        assertThat(kept.hosts()).extracting(HostPlace::port).containsExactly(4791, 4791);
        assertThat(Files.readString(manifest)).doesNotContain(kept.operator().key());
        taken();

        List<JsonNode> objects = objects(Files.readString(manifest));
        run(objects);
        awaitReady(objects);

        assertThat(domains(hv.run("ps", "--format", "json").expect(0)))
                .containsExactlyInAnyOrder("n1 hv0", "n1 a", "n2 hv1", "n2 b");
        assertThat(hv.run("inspect", "b").expect(0).out()).contains("topology: two@n2");
        pingpong();
        hv.processes();
        assertThat(hv.run("down").expect(0).err())
                .contains("two is down on all hosts")
                .contains("kubectl delete -f FILE removes the objects of two");
        for (Map.Entry<String, Process> node : nodes.entrySet()) {
            assertThat(node.getValue().waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(node.getValue().exitValue())
                    .as(() -> said(node.getKey()))
                    .isZero();
        }
        expectNothingLeft();
        assertThat(hv.state("two").getParent()).isEmptyDirectory();
    }

    /** Neither a second export nor a start take the name. */
    private void taken() throws Exception {
        HvProcess.Outcome again = export().expect(5);
        assertThat(again.err().lines()).singleElement().asString().contains("two is exported for Kubernetes already");
        assertThat(again.out()).isEmpty();
        assertThat(hv.run("-t", file.toString(), "up", "-d").expect(5).err().lines())
                .singleElement()
                .asString()
                .contains("two is exported for Kubernetes already");
    }

    private void pingpong() throws Exception {
        Path out = folder.resolve("b.out");
        Process server = hv.start(out, folder.resolve("b.err"), "run", "--in", "b", "pingpong", "-s", "64");

        HvProcess.Outcome client = hv.run("run", "--in", "a", "pingpong", "-n", "50", "-w", "0", "b");

        client.expect(0);
        assertThat(client.out()).contains("6400 bytes in ", "50 iters in ");
        assertThat(server.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(out)).contains("6400 bytes in ");
        assertThat(hv.run("logs", "b").expect(0).out()).contains("6400 bytes in ");
    }

    @Test
    void aSignalEndsANodeWellAndDownForgetsTheRest() throws Exception {
        assertThat(export("-o", folder.resolve("none/two.yaml").toString())
                        .expect(1)
                        .err())
                .contains("cannot write ");
        // What failed has not taken the name.
        HvProcess.Outcome export = export("--port", "4792").expect(0);
        assertThat(export.err()).contains("the output holds the keys of 2 hosts");
        List<JsonNode> objects = objects(export.out());
        run(objects.subList(0, 2));
        awaitReady(objects.subList(0, 2));
        HvProcess.Outcome ps = hv.run("ps", "--format", "json").expect(1);
        assertThat(domains(ps)).containsExactlyInAnyOrder("n1 hv0", "n1 a");
        assertThat(ps.err()).contains("host n2: ");
        List<ProcessHandle> domains = new ArrayList<>();
        ps.json()
                .get("domains")
                .forEach(domain -> ProcessHandle.of(domain.get("pid").asLong()).ifPresent(domains::add));
        Process node = nodes.get("n1");

        node.destroy();

        assertThat(node.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(node.exitValue()).as(() -> said("n1")).isZero();
        assertThat(said("n1")).doesNotContain("hv: ");
        assertThat(domains).isNotEmpty().allMatch(ProcessEnd::hasEnded);
        expectNothingLeft();
        assertThat(hv.run("down").expect(1).err())
                .contains(
                        "two is forgotten", "host n1: ", "host n2: ", "its pod may not run", "kubectl delete -f FILE");
        assertThat(hv.state("two").getParent()).isEmptyDirectory();
        assertThat(hv.run("ps").expect(0).out().lines()).hasSize(1);
    }
}
