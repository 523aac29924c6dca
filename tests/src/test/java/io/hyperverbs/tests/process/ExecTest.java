package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.vmm.posix.Landlock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Executables of the computer in guests, as {@code hv exec} runs them; with rdma-core's as they are installed. */
@SeveralEngines
@RunsWhenChanged("libibverbs")
class ExecTest {
    private static final List<String> RDMA_PROGRAMS = List.of(
            "ibv_devices",
            "ibv_devinfo",
            "ibv_rc_pingpong",
            "ib_send_lat",
            "ib_write_bw",
            "ib_read_lat",
            "ib_atomic_lat");

    /** Where Debian's python3-pyverbs has its tests. */
    private static final Path PYVERBS = Path.of("/usr/share/doc/rdma-core/tests");

    @TempDir
    static Path folder;

    private static ExecutableGuests guests;

    /** The guest where servers run: guests of an ordinary user have no network in common. */
    private static final String SERVER = "b";

    @BeforeAll
    static void up() throws Exception {
        guests = ExecutableGuests.start(folder, "exec", 2, "128MiB");
    }

    @AfterAll
    static void down() throws Exception {
        if (guests != null) {
            guests.close();
        }
    }

    @Test
    void anExecutablesOutputAndExitCodeAreThoseOfHv() throws Exception {
        HvProcess.Outcome outcome = guests.run("exec", "a", "--", "sh", "-c", "echo out; echo err >&2; exit 3")
                .expect(3);

        assertThat(outcome.out()).isEqualTo("out\n");
        assertThat(outcome.err()).isEqualTo("err\n");
        assertThat(guests.run("exec", "a", "no-such-command").expect(127).err()).contains("no-such-command");
        assertThat(guests.run("exec", "nobody", "true").expect(4).err()).contains("nobody");
    }

    @Test
    void hvRunTakesThePathOfAnExecutable() throws Exception {
        assertThat(guests.run("run", "--in", "a", "/usr/bin/printf", "%s.", "x y", "$HOME")
                        .expect(0)
                        .out())
                .isEqualTo("x y.$HOME.");
        assertThat(guests.run("run", "/usr/bin/printf", "x").expect(2).err()).contains("--in DOM");
    }

    @Test
    void aTopologyNamesAnExecutable() throws Exception {
        Path file = Files.writeString(folder.resolve("app.hv.yaml"), """
            apiVersion: hv/v1
            name: app
            guests: { c: { executables: {}, app: { exec: [sh, -c, "echo from $0; exit 3", c] } } }
            """);

        assertThat(guests.run("-t", file.toString(), "up").expect(3).out()).contains("from c");
    }

    /** The computer's files, processes and network are not there; calls that reach others fail. */
    @Test
    void anExecutableIsKeptInItsGuest() throws Exception {
        String seen = guests.run("exec", "a", "--", "sh", "-c", """
            grep -c : /proc/net/dev; ls /home /root /etc/shadow 2>/dev/null | wc -l
            touch /usr/x 2>/dev/null || echo read-only
            unshare --net true 2>/dev/null || echo no namespace
            for process in /proc/[0-9]*; do
                grep -q java $process/comm && { echo driver; ls $process/fd >/dev/null 2>&1 && echo its files; }
            done
            grep Seccomp: /proc/self/status\
            """).expect(0).out();

        assertThat(seen.lines()).containsExactly("1", "0", "read-only", "no namespace", "driver", "Seccomp:\t2");
    }

    /** All of a guest have one user, which would let them. */
    @Test
    void anExecutableEndsNoOtherAndReadsNothingOfIt() throws Exception {
        ExecutableGuests.assumePrograms(List.of("gcc"), "gcc");
        assumeTrue(Landlock.abi() >= Landlock.ABI_SCOPES, "Landlock of this kernel does not know signals");
        CompletableFuture<HvProcess.Outcome> other = guests.inBackground(
                "a", List.of("sh", "-c", "echo $$ > /tmp/other; until [ -e /tmp/tried ]; do sleep 0.05; done"));

        String seen = guests.run("exec", "a", "--", "sh", "-c", """
            until [ -s /tmp/other ]; do sleep 0.05; done
            other=$(cat /tmp/other)
            for process in $other 2 1 -1; do
                kill -KILL -- $process 2>/dev/null && echo killed $process
            done
            head -c 1 /proc/$other/environ /proc/$other/mem /proc/$other/fd/1 2>/dev/null
            prlimit --pid $other --nofile=1 2>/dev/null && echo limited
            touch /tmp/tried
            echo tried\
            """).expect(0).out();

        assertThat(seen.lines()).containsExactly("tried");
        other.get(60, TimeUnit.SECONDS).expect(0);
    }

    @Test
    void oneThatTakesTooLongIsEnded() throws Exception {
        HvProcess.Outcome outcome = guests.run(
                        "--timeout", "1s", "exec", "a", "sh", "-c", "echo $$ > /tmp/pid; sleep 1000")
                .expect(8);

        assertThat(outcome.err()).contains("ran too long");
        // It is asked again until it is over: the guest ends it after hv has ended.
        assertThat(guests.run(
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

    /** Also what is in a session of its own, as daemons are, whether the command ends or is ended. */
    @ParameterizedTest
    @CsvSource({"true, 3", "sleep 1000, 8"})
    void nothingIsLeftOfACommand(String last, int code) throws Exception {
        String leaves = "for i in 1 2; do setsid sh -c 'echo $$ >> /tmp/left; sleep 1000' & done\n"
                + "until [ $(wc -l < /tmp/left) = 2 ]; do sleep 0.1; done; " + last + "; exit 3";

        guests.run("--timeout", "10s", "exec", "a", "--", "sh", "-c", ": > /tmp/left; " + leaves)
                .expect(code);

        // A command that is ended goes on for as long as its grace.
        assertThat(guests.run("--timeout", "60s", "exec", "a", "--", "sh", "-c", """
            for left in $(cat /tmp/left); do while [ -e /proc/$left ]; do sleep 0.1; done; echo over; done\
            """)
                        .expect(0)
                        .out())
                .isEqualTo("over\nover\n");
    }

    /** Each has its own number, exit code and end, however close they are. */
    @Test
    void severalStartAtOnceInOneGuest() throws Exception {
        List<CompletableFuture<HvProcess.Outcome>> running = new ArrayList<>();
        for (int code = 1; code <= 4; code++) {
            running.add(guests.inBackground("a", List.of("sh", "-c", "exit " + code)));
        }

        for (int code = 1; code <= 4; code++) {
            running.get(code - 1).get(60, TimeUnit.SECONDS).expect(code);
        }
    }

    /** Such memory is the guest's, in a child of a fork the child's own. */
    @Test
    void dataAndStackOfAProgramCanBeRegistered() throws Exception {
        CPrograms.assumeCompiler();
        CPrograms.install(new CPrograms(folder).compile("places"), guests, "a");

        assertThat(guests.exec("a", List.of("/tmp/places")).expect(0).out()).isEqualTo("all bytes as they are to be\n");
    }

    @InEachBuild
    @Test
    void ibvDevinfoShowsTheHcaOfTheGuest() throws Exception {
        assumeRdmaPrograms();

        assertThat(guests.run("exec", "a", "ibv_devices").expect(0).out()).contains("hv0");
        assertThat(guests.run("exec", "a", "ibv_devinfo", "-v").expect(0).out())
                .contains("hca_id:\thv0", "PORT_ACTIVE", "InfiniBand");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ibv_rc_pingpong -c",
                "ibv_rc_pingpong -c -e",
                "ibv_rc_pingpong -c -N",
                "ibv_rc_pingpong -c -s 65536 -n 200",
                "ibv_uc_pingpong -c",
                "ibv_ud_pingpong -c",
                "ibv_srq_pingpong -c -n 200",
                "ibv_xsrq_pingpong"
            })
    void examplesOfRdmaCoreRun(String command) throws Exception {
        assertThat(runBoth(List.of(command.split(" "))).out())
                .containsPattern("iters in|success")
                .doesNotContain("invalid");
    }

    /** perftest says by its exit code that it is satisfied; what its figures are worth is for a quiet computer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ib_send_lat -n 500",
                "ib_send_lat -e -n 200",
                "ib_send_lat -c UD -n 500",
                "ib_send_lat -c XRC -n 200",
                "ib_send_bw -c UC -n 500",
                "ib_send_bw -b -n 500",
                "ib_send_bw -e -q 4 --use-srq -n 500",
                "ib_write_bw -s 65536 -n 500",
                "ib_write_bw -a -n 20",
                "ib_write_bw -c XRC -n 200",
                "ib_read_lat -n 500",
                "ib_read_bw -q 4 -n 200",
                "ib_atomic_lat -n 500",
                "ib_atomic_bw -n 500"
            })
    void perftestRuns(String command) throws Exception {
        assertThat(runBoth(List.of(command.split(" "))).out()).containsPattern("#bytes");
    }

    /** In each second of its run but the first and the last, in which it makes and destroys what it needs. */
    @Test
    void noRequestGoesToTheDeviceDomainWhileDataFlows() throws Exception {
        CompletableFuture<HvProcess.Outcome> both =
                ExecutableGuests.concurrently(() -> runBoth(List.of("ib_write_bw", "-D", "15", "-s", "4096", "-F")));
        List<JsonNode> busy = new ArrayList<>();
        while (!both.isDone()) {
            guests.run("top", "-b", "-n", "3", "-d", "1", "--format", "jsonl")
                    .expect(0)
                    .out()
                    .lines()
                    .map(Json::parse)
                    .filter(row -> row.get("name").asString().equals("a")
                            && row.get("post_per_s").asDouble() > 1000)
                    .forEach(busy::add);
        }
        both.join();

        assertThat(busy).as("seconds with posts").hasSizeGreaterThan(3);
        assertThat(busy.subList(1, busy.size() - 1))
                .allSatisfy(row -> assertThat(row.get("fwd_per_s").asDouble())
                        .as("%s", row)
                        .isZero());
    }

    /** UCX loads the library itself, and has its own ideas of memory. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ucx_perftest -d hv0:1 -x rc_verbs -t am_lat -n 200 -w 10",
                "ucx_perftest -d hv0:1 -x ud_verbs -t am_lat -n 200 -w 10",
                "ucx_perftest -t tag_lat -n 200 -w 10",
                "ucx_perftest -t tag_bw -s 65536 -n 100 -w 10"
            })
    void ucxRuns(String command) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/ucx_perftest")), "ucx_perftest is not installed (ucx-utils)");

        assertThat(runBoth(List.of(command.split(" "))).out()).contains("Final:");
    }

    /** libfabric makes connections, datagrams, and reliable datagrams of connections; -c looks at the data. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fi_pingpong -p verbs -e msg -c",
                "fi_pingpong -p verbs -e rdm -c",
                "fi_pingpong -p verbs;ofi_rxm -e rdm -m tagged -c",
                "fi_pingpong -p verbs -e dgram -c"
            })
    void libfabricRuns(String command) throws Exception {
        ExecutableGuests.assumePrograms(List.of("fi_pingpong"), "libfabric-bin");
        String largest = command.contains("dgram") ? "1k" : "1m";

        assertThat(runBoth(List.of(command.split(" "))).out())
                .containsPattern("(?m)^" + largest + " +10 +=10 ")
                .doesNotContain("Error at");
    }

    /** Its server forks a child for each test, and ends by SIGQUIT; those of ver_ look at the values. */
    @Test
    void qperfRuns() throws Exception {
        ExecutableGuests.assumePrograms(List.of("qperf"), "qperf");
        List<String> tests = List.of(
                "rc_lat",
                "rc_bi_bw",
                "rc_rdma_write_bw",
                "rc_rdma_read_lat",
                "rc_compare_swap_mr",
                "uc_bw",
                "ud_lat",
                "ver_rc_compare_swap",
                "ver_rc_fetch_add");
        List<String> calling = new ArrayList<>(List.of("qperf", "-t", "1", SERVER));
        calling.addAll(tests);
        calling.add("quit");

        String said = runBoth(List.of("qperf"), calling).out();

        for (String test : tests) {
            assertThat(said).containsPattern(test + ":\\s+(latency|(send_)?bw|msg_rate) +=");
        }
    }

    @Test
    void ibvAsyncwatchShowsThatThePortGoesDownAndUp() throws Exception {
        assumeRdmaPrograms();
        CompletableFuture<HvProcess.Outcome> watches = guests.inBackground("a", List.of("sh", "-c", """
            ibv_asyncwatch > /tmp/events &
            until grep -q PORT_ACTIVE /tmp/events; do sleep 0.1; done
            kill $! && cat /tmp/events\
            """));
        guests.exec("a", List.of("sh", "-c", "until grep -q 'async event' /tmp/events; do sleep 0.1; done"))
                .expect(0);

        guests.run("port", "1", "down").expect(0);
        guests.run("port", "1", "up").expect(0);

        assertThat(watches.get().expect(0).out())
                .containsSubsequence(
                        "hv0: async event FD", "IBV_EVENT_PORT_ERR (10), port 1", "IBV_EVENT_PORT_ACTIVE (9), port 1");
    }

    /** pyverbs checks the data that it receives. One of its tests expects that a re-registered region keeps its rkey. */
    @Test
    void testsOfPyverbsPass() throws Exception {
        assumeRdmaPrograms();
        assumeTrue(Files.isDirectory(PYVERBS), PYVERBS + " is not there (python3-pyverbs)");

        String said = guests.run("--timeout", "300s", "exec", "a", "--", "sh", "-c", """
            cp -r /usr/share/doc/rdma-core/tests /tmp/pyverbs && cd /tmp/pyverbs
            rm -f test_mlx5* test_efa* test_cuda* && gunzip *.gz
            HV_VERBS_MEMORY=always /usr/bin/python3 run_tests.py -v 2>&1; echo over\
            """)
                .expect(0)
                .out();

        assertThat(said).contains("test_xrc_traffic", "test_cq_events_ud", "over");
        assertThat(said.lines().filter(line -> line.startsWith("ERROR: ") || line.startsWith("FAIL: ")))
                .as(said)
                .allMatch(line -> line.startsWith("ERROR: test_mr_rereg_access "));
        assertThat(said.lines().filter(line -> line.endsWith("... ok")))
                .as(said)
                .hasSizeGreaterThan(90);
    }

    /** Runs a SERVER, and in guest a its client; nothing of the two is left in the HCA. */
    private HvProcess.Outcome runBoth(List<String> words) throws Exception {
        List<String> calling = new ArrayList<>(words);
        calling.add(SERVER);
        return runBoth(words, calling);
    }

    private HvProcess.Outcome runBoth(List<String> serving, List<String> words) throws Exception {
        assumeRdmaPrograms();
        CompletableFuture<HvProcess.Outcome> serves = guests.inBackground(SERVER, serving);
        // The network says when the server listens.
        List<String> calling = new ArrayList<>(List.of(
                "sh",
                "-c",
                "until grep -q ' 0A ' /proc/net/tcp /proc/net/tcp6; do sleep 0.1; done; exec \"$@\"",
                "client"));
        calling.addAll(words);
        return guests.runClient(serves, calling);
    }

    private static void assumeRdmaPrograms() {
        assumeTrue(
                Files.exists(ExecutableGuests.LIBRARIES.resolve("libibverbs.so.1")),
                "libibverbs.so.1 was not built: no C compiler, or no infiniband/verbs.h");
        ExecutableGuests.assumePrograms(RDMA_PROGRAMS, "ibverbs-utils, perftest");
    }
}
