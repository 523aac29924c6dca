package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.vmm.sandbox.SandboxProbe;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executables of the computer in guests, as {@code hv exec} runs them; with rdma-core's as they are installed. */
@SeveralEngines
class ExecTest {
    private static final List<String> RDMA_PROGRAMS = List.of(
            "ibv_devices",
            "ibv_devinfo",
            "ibv_rc_pingpong",
            "ib_send_lat",
            "ib_write_bw",
            "ib_read_lat",
            "ib_atomic_lat");

    @TempDir
    Path folder;

    private HvProcess hv;

    @BeforeEach
    void up() throws Exception {
        assumeTrue(
                SandboxProbe.working().stream()
                        .anyMatch(one -> !one.tier().label().equals("1b")),
                "no sandbox of namespaces works on this computer");
        Path file = Files.writeString(folder.resolve("exec.hv.yaml"), """
            apiVersion: hv/v1
            name: exec
            defaults: { guest: { executables: { count: 2, memory: 64MiB } } }
            guests: { a: {}, b: {} }
            """);
        hv = new HvProcess();
        hv.run("-t", file.toString(), "up", "-d").expect(0);
    }

    @AfterEach
    void down() throws Exception {
        if (hv != null) {
            hv.close();
        }
    }

    @Test
    void anExecutablesOutputAndExitCodeAreThoseOfHv() throws Exception {
        HvProcess.Outcome outcome = hv.run("exec", "a", "--", "sh", "-c", "echo out; echo err >&2; exit 3")
                .expect(3);

        assertThat(outcome.out()).isEqualTo("out\n");
        assertThat(outcome.err()).isEqualTo("err\n");
        assertThat(hv.run("exec", "a", "no-such-command").expect(127).err()).contains("no-such-command");
        assertThat(hv.run("exec", "nobody", "true").expect(4).err()).contains("nobody");
    }

    /** The computer's files, processes and network are not there; calls that reach others fail. */
    @Test
    void anExecutableIsKeptInItsGuest() throws Exception {
        String seen = hv.run("exec", "a", "--", "sh", "-c", """
            grep -c : /proc/net/dev; ls /home /root /etc/shadow 2>/dev/null | wc -l
            touch /usr/x 2>/dev/null || echo read-only
            unshare --net true 2>/dev/null || echo no namespace
            grep Seccomp: /proc/self/status\
            """).expect(0).out();

        assertThat(seen.lines()).containsExactly("1", "0", "read-only", "no namespace", "Seccomp:\t2");
    }

    @Test
    void oneThatTakesTooLongIsEnded() throws Exception {
        HvProcess.Outcome outcome = hv.run("--timeout", "1s", "exec", "a", "sh", "-c", "echo $$ > /tmp/pid; sleep 1000")
                .expect(8);

        assertThat(outcome.err()).contains("ran too long");
        // It is asked again until it is over: the guest ends it after hv has ended.
        assertThat(hv.run(
                                "exec",
                                "a",
                                "--",
                                "sh",
                                "-c",
                                "while kill -0 $(cat /tmp/pid) 2>/dev/null; do :; done; echo over")
                        .expect(0)
                        .out())
                .isEqualTo("over\n");
    }

    /** Each has its own number, exit code and end, however close they are. */
    @Test
    void severalStartAtOnceInOneGuest() throws Exception {
        List<CompletableFuture<HvProcess.Outcome>> running = new ArrayList<>();
        for (int code = 1; code <= 4; code++) {
            running.add(inBackground("a", List.of("sh", "-c", "exit " + code)));
        }

        for (int code = 1; code <= 4; code++) {
            running.get(code - 1).get(60, TimeUnit.SECONDS).expect(code);
        }
    }

    @Test
    void ibvDevinfoShowsTheHcaOfTheGuest() throws Exception {
        assumeRdmaPrograms();

        assertThat(hv.run("exec", "a", "ibv_devices").expect(0).out()).contains("hv0");
        assertThat(hv.run("exec", "a", "ibv_devinfo", "-v").expect(0).out())
                .contains("hca_id:\thv0", "PORT_ACTIVE", "InfiniBand");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-e", "-s 65536 -n 200"})
    void ibvRcPingpongRunsWithinAGuest(String options) throws Exception {
        pingPong("a", "127.0.0.1", options);
    }

    @Test
    void ibvRcPingpongRunsBetweenTwoGuests() throws Exception {
        assumeTrue(
                SandboxProbe.working().getFirst().tier() == SandboxTier.ROOT,
                "guests of an ordinary user have no network in common");
        pingPong("b", "b", "");
    }

    /** perftest says by its exit code that it is satisfied; what its figures are worth is for a quiet computer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ib_send_lat -n 1000",
                "ib_send_lat -c UD -n 1000",
                "ib_write_bw -s 65536 -n 500",
                "ib_read_lat -n 1000",
                "ib_atomic_lat -n 1000"
            })
    void perftestRunsWithinAGuest(String command) throws Exception {
        assumeRdmaPrograms();

        assertThat(runBoth("a", "127.0.0.1", List.of(command.split(" "))).out()).containsPattern("#bytes");
    }

    private void pingPong(String server, String address, String options) throws Exception {
        assumeRdmaPrograms();
        List<String> words = new ArrayList<>(List.of("ibv_rc_pingpong", "-c"));
        words.addAll(List.of(options.split(" ")));
        words.removeIf(String::isEmpty);

        assertThat(runBoth(server, address, words).out()).contains("iters in").doesNotContain("invalid");
    }

    /** Runs a server, and in guest a its client; nothing of the two is left in the HCA. */
    private HvProcess.Outcome runBoth(String server, String address, List<String> words) throws Exception {
        CompletableFuture<HvProcess.Outcome> serves = inBackground(server, words);
        // The network says when the server listens.
        hv.run("exec", "a", "--", "sh", "-c", "until grep -q ' 0A ' /proc/net/tcp /proc/net/tcp6; do sleep 0.1; done")
                .expect(0);
        List<String> calling = new ArrayList<>(words);
        calling.add(address);
        HvProcess.Outcome client = exec("a", calling);
        HvProcess.Outcome served = serves.get(120, TimeUnit.SECONDS);
        assertThat(served.exit()).as("server %s, client %s", served, client).isZero();
        client.expect(0);
        assertThat(hv.run("rdma", "resource", "show", "qp").expect(0).out()).doesNotContain("RTS");
        return client;
    }

    private CompletableFuture<HvProcess.Outcome> inBackground(String guest, List<String> words) {
        List<String> copy = List.copyOf(words);
        return CompletableFuture.supplyAsync(() -> {
            try {
                return exec(guest, copy);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private HvProcess.Outcome exec(String guest, List<String> words) throws Exception {
        List<String> line = new ArrayList<>(List.of("--timeout", "60s", "exec", guest, "--"));
        line.addAll(words);
        return hv.run(line.toArray(String[]::new));
    }

    private static void assumeRdmaPrograms() {
        Path libraries = Path.of("..").resolve("toolstack/target/dist/native/libibverbs.so.1");
        assumeTrue(Files.exists(libraries), "libibverbs.so.1 was not built: no C compiler, or no infiniband/verbs.h");
        for (String program : RDMA_PROGRAMS) {
            assumeTrue(
                    Files.isExecutable(Path.of("/usr/bin", program)),
                    program + " is not installed (ibverbs-utils, perftest)");
        }
    }
}
