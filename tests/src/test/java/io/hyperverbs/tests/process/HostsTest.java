package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.hosts.HostClient;
import io.hyperverbs.launcher.hosts.HostPlace;
import io.hyperverbs.launcher.hosts.HostUnreachable;
import io.hyperverbs.launcher.hosts.HostsFile;
import io.hyperverbs.launcher.hosts.TopologyCertificates;
import io.hyperverbs.launcher.node.NodeTls;
import io.hyperverbs.launcher.node.wire.CommandLine;
import io.hyperverbs.launcher.node.wire.NodeGrpc;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Commands over two hosts, who is answered there, and how nodes come there. */
@Order(2)
@SeveralEngines
@RunsWhenChanged
class HostsTest extends TwoHostsTest {
    private static final CommandLine PS =
            CommandLine.newBuilder().addWords("ps").build();

    @Test
    void commandsGoOverAllHostsAndGuestsConnectByName() throws Exception {
        up();

        assertThat(domains(hv.run("ps", "--format", "json").expect(0)))
                .containsExactlyInAnyOrder("n1 hv0", "n1 a", "n2 hv1", "n2 b");
        assertThat(domains(hv.run("ps", "--host", "n2", "--format", "json").expect(0)))
                .containsExactlyInAnyOrder("n2 hv1", "n2 b");
        assertThat(hv.run("inspect", "b").expect(0).out())
                .contains("topology: two@n2")
                .contains("name: b");
        assertThat(hv.run("devinfo").expect(0).out()).contains("hv0").contains("hv1");
        assertThat(hv.run("inspect", "z").expect(4).err()).contains("no domain z in two");
        greet();
        pingpong();
        links();
        bench();
        assertThat(hv.run("logs", "b").expect(0).out()).contains("a calls: anybody there?");
        assertThat(hv.run("logs", "vmm", "--host", "n1").exit()).isZero();
        assertThat(hv.run("-t", folder.resolve("two.hv.yaml").toString(), "up", "-d")
                        .expect(5)
                        .err())
                .contains("topology two is already running");

        onlyTheOperatorIsAnswered();

        hv.processes();
        hv.run("down").expect(0);
        expectNothingLeft();
    }

    private void greet() throws Exception {
        Process server = start("b", "run", "--in", "b", "examples/Greeting.java", "serve");

        HvProcess.Outcome client = hv.run("run", "--in", "a", "examples/Greeting.java", "call", "b");

        client.expect(0);
        assertThat(client.out()).contains("b answers: come in");
        expectWell(server, "b");
        assertThat(out("b")).contains("a calls: anybody there?").contains("hello from a");
    }

    /** Guests of different hosts find each other by the connection manager; terms of one side hold for both. */
    private void pingpong() throws Exception {
        Process server = start("b", "run", "--in", "b", "pingpong", "-s", "64");

        HvProcess.Outcome client = hv.run("run", "--in", "a", "pingpong", "-n", "50", "-w", "0", "b");

        client.expect(0);
        expectWell(server, "b");
        for (String out : List.of(client.out(), out("b"))) {
            assertThat(out)
                    .contains("  local address:  LID 0x", "  remote address: LID 0x")
                    .contains("6400 bytes in ", "50 iters in ", "half-rtt: min ");
        }
        Process other = start("b", "run", "--in", "b", "pingpong", "-s", "64");
        assertThat(hv.run("run", "--in", "a", "pingpong", "-s", "65", "b")
                        .expect(1)
                        .err())
                .contains("pingpong: a has -s 65 and b has -s 64; give it on one side, or the same on both");
        assertThat(other.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(hv.run("run", "--in", "a", "pingpong", "-n", "20000000", "b")
                        .expect(1)
                        .err()
                        .lines())
                .singleElement()
                .asString()
                .endsWith("pingpong: -n 20000000, must be a number from 1 to 1000000");
    }

    private void bench() throws Exception {
        JsonNode measured = hv.run(
                        Duration.ofMinutes(5),
                        "bench",
                        "--quick",
                        "--rounds",
                        "1",
                        "-s",
                        "64,8192",
                        "-t",
                        "two",
                        "--format",
                        "json")
                .expect(0)
                .json();

        assertThat(List.of("from", "from_host", "to", "to_host", "to_address"))
                .extracting(key -> measured.get(key).asString())
                .containsExactly("a", "n1", "b", "n2", "127.21.0.2");
        List<String> rows = new ArrayList<>();
        for (JsonNode row : measured.get("rows")) {
            rows.add(row.get("verb").asString() + " " + row.get("bytes").asInt());
            assertThat(row.get("p50").asDouble()).isPositive();
            assertThat(row.get("count").asInt()).isGreaterThanOrEqualTo(20);
        }
        assertThat(rows)
                .containsExactly(
                        "write 64", "write 8192", "read 64", "read 8192", "fetch-add 8", "send 64", "send 8192");
        assertThat(hv.run("bench", "-t", "nowhere").expect(4).err()).contains("does not run on several hosts");
    }

    private void links() throws Exception {
        assertThat(links("state", "loss")).containsExactly("n1 hv1 hv0 UP -", "n2 hv0 hv1 UP -");

        hv.run("link", "hv0-hv1", "loss=1%").expect(0);
        assertThat(links("state", "loss")).containsExactly("n1 hv1 hv0 UP 1%", "n2 hv0 hv1 UP 1%");
        assertThat(hv.run("link", "hv0-hv1").expect(0).out().lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("host n"));
        hv.run("link", "hv0-hv1", "down").expect(0);
        assertThat(links("state", "loss")).containsExactly("n1 hv1 hv0 DOWN 1%", "n2 hv0 hv1 DOWN 1%");
        hv.run("link", "hv0-hv1", "none").expect(0);
        assertThat(links("state", "loss")).containsExactly("n1 hv1 hv0 UP -", "n2 hv0 hv1 UP -");
        assertThat(hv.run("link", "hv0-hv2", "down").expect(4).err()).contains("no link hv0-hv2 in two");
    }

    /** Host, both HCAs and values of some keys. */
    private List<String> links(String... keys) throws Exception {
        List<String> links = new ArrayList<>();
        for (JsonNode link : hv.run("link", "--format", "json").expect(0).json().get("links")) {
            StringBuilder words = new StringBuilder();
            for (String key : List.of("host", "from", "to")) {
                words.append(link.get(key).asString()).append(' ');
            }
            for (String key : keys) {
                words.append(link.path(key).asString("-")).append(' ');
            }
            links.add(words.toString().strip());
        }
        return links;
    }

    private void onlyTheOperatorIsAnswered() throws Exception {
        HostsFile file = hosts();
        HostPlace host = file.hosts().getFirst();
        assertThat(Files.getPosixFilePermissions(hv.state("two").resolve("hosts.json")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(hv.state("two")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));

        assertThat(ask(host, file)).isZero();
        // Of another topology of the same name.
        TopologyCertificates others = new TopologyCertificates("two", Instant.now());
        refuses(host, file, others.operator());
        // A host of this topology is no operator of it: nobody has such a key but its host, so this one is of the
        // others too.
        refuses(host, file, others.host("n2"));
        assertThatThrownBy(() -> ask(new HostPlace("n2", host.address(), host.port(), host.process(), List.of()), file))
                .as("another host's name")
                .isInstanceOf(HostUnreachable.class);
        withoutCertificate(host, file);
        try (HostClient client = new HostClient(host, file)) {
            CommandLine clean = CommandLine.newBuilder().addWords("clean").build();
            assertThatThrownBy(() -> client.run(
                            clean,
                            Duration.ofMinutes(1),
                            OutputStream.nullOutputStream(),
                            OutputStream.nullOutputStream()))
                    .isInstanceOf(HostUnreachable.class)
                    .hasMessageContaining("no command for a host: 'clean'");
        }
        assertThat(ask(host, file)).isZero();
    }

    private static int ask(HostPlace host, HostsFile file) throws Exception {
        try (HostClient client = new HostClient(host, file)) {
            return client.run(
                    PS, Duration.ofMinutes(1), OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
        }
    }

    private static void refuses(HostPlace host, HostsFile file, NodeTls.Identity who) {
        HostsFile other = new HostsFile(file.topology(), file.launcher(), file.hosts(), file.authority(), who);
        assertThatThrownBy(() -> ask(host, other)).isInstanceOf(HostUnreachable.class);
    }

    private static void withoutCertificate(HostPlace host, HostsFile file) throws Exception {
        ManagedChannel channel = NettyChannelBuilder.forAddress(host.address(), host.port())
                .overrideAuthority(host.name())
                .sslContext(GrpcSslContexts.forClient()
                        .trustManager(new ByteArrayInputStream(file.authority().getBytes(StandardCharsets.UTF_8)))
                        .build())
                .build();
        try {
            assertThatThrownBy(() -> NodeGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(1, TimeUnit.MINUTES)
                            .run(PS)
                            .hasNext())
                    .isInstanceOf(StatusRuntimeException.class);
        } finally {
            channel.shutdownNow();
        }
    }

    /** A stand-in for ssh notes what it is called with, and runs the command on this computer, as the other end would. */
    @Test
    void sshBringsNodesThereWithoutAQuestion() throws Exception {
        Path calls = folder.resolve("calls");
        Path ssh =
                Files.writeString(Files.createDirectory(folder.resolve("bin")).resolve("ssh"), """
                    #!/bin/sh
                    echo "$@" >> %s
                    while [ "${1#-}" != "$1" ]; do
                        [ "$1" = -o ] && shift
                        shift
                    done
                    shift
                    exec sh -c "$*"
                    """.formatted(calls));
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
        hv.with("PATH", ssh.getParent() + ":" + System.getenv("PATH"));

        hv.run(Duration.ofMinutes(5), "-t", topology(", target: me@second").toString(), "up", "-d", "--launcher", "ssh")
                .expect(0);

        assertThat(Files.readAllLines(calls))
                .hasSize(2)
                .allMatch(call -> call.contains("-o BatchMode=yes") && call.endsWith("/hv node"))
                .anyMatch(call -> call.contains(" n1 "))
                .anyMatch(call -> call.contains(" me@second "));
        assertThat(domains(hv.run("ps", "--format", "json").expect(0))).contains("n1 a", "n2 b");
        hv.processes();
        hv.run("down").expect(0);
        expectNothingLeft();
    }

    @InEachBuild
    @Test
    void aHostThatDoesNotStartTakesTheOthersDown() throws Exception {
        HvProcess.Outcome up = hv.run("-t", topology(", hv: /nowhere/hv").toString(), "up", "-d")
                .expect(1);

        assertThat(up.err()).contains("hv: host n2 did not start: ").contains("/nowhere/hv");
        expectNothingLeft();
        assertThat(hv.run("ps").expect(0).out().lines()).hasSize(1);
    }
}
