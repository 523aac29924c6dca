package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.CmCallee;
import io.hyperverbs.tests.programs.CmCaller;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Connections between domains, each in a process of its own. */
@Order(3)
@RunsWhenChanged
class ConnectTest extends MachineTest {
    @Test
    void deathOfAGuestDisconnectsItsPeersOnEveryPath() throws Exception {
        List<String> paths = List.of("native", "bypass", "forwarded");
        TestMachine machine = machine();
        DomainReport callee = machine.add(
                TestMachine.guest("v", "bypass"), TestMachine.program(CmCallee.class, Integer.toString(paths.size())));
        for (String path : paths) {
            machine.add(TestMachine.guest("to-v-" + path, path), TestMachine.program(CmCaller.class, "v"));
        }
        machine.awaitKey("domain/v/connected");

        assertThat(ProcessHandle.of(callee.pid()).orElseThrow().destroyForcibly())
                .isTrue();

        assertThat(machine.awaitEnd("v").state()).isEqualTo(DomainState.CRASHED);
        for (String path : paths) {
            String caller = "to-v-" + path;
            int exitCode = machine.awaitEnd(caller).exitCode();
            assertThat(exitCode).as("%s", machine.console(caller)).isZero();
            assertThat(machine.console(caller))
                    .contains(
                            "ESTABLISHED SUCCESS of v, DISCONNECTED ECONNRESET of v," + " TIMEWAIT_EXIT SUCCESS of v");
        }
    }

    @InEachBuild
    @Test
    void guestsGreetEachOtherByNameAndTheOperatorSeesThem() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            Path out = Files.createTempFile("greeting", ".out");
            Path err = Files.createTempFile("greeting", ".err");
            try {
                hv.run("up", "-d", "--topo", "pair", "--wait").expect(0);
                Process server = hv.start(out, err, "run", "--in", "b", "examples/Greeting.java", "serve");
                long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
                String listening = "";
                while (listening.isEmpty() && System.nanoTime() < deadline) {
                    listening = hv.run("rdma", "resource", "show", "cm_id", "state", "LISTEN")
                            .expect(0)
                            .out();
                }
                String used =
                        hv.run("inspect", "b", "--format", "json").expect(0).out();
                String counts = hv.run("rdma", "resource").expect(0).out();
                HvProcess.Outcome client = hv.run("run", "--in", "a", "examples/Greeting.java", "call", "b")
                        .expect(0);
                assertThat(server.waitFor(2, TimeUnit.MINUTES))
                        .as("server ends")
                        .isTrue();

                assertThat(server.exitValue()).as("%s", Files.readString(err)).isZero();
                assertThat(client.out()).contains("b answers: come in");
                assertThat(Files.readString(out))
                        .contains("a calls: anybody there?")
                        .contains("hello from a");
                assertThat(listening)
                        .contains(" state LISTEN cm-state LISTEN ps IB src-addr fe80:")
                        .contains(" service-id 0x6772656574 ")
                        .contains(" comm b");
                // A channel and the listener.
                assertThat(used).containsPattern("\"quota_used\"[^}]*\"cm\" ?: ?2");
                assertThat(counts).contains(" cm_id 1 ").contains(" qp 1 ").contains(" mr 1 ");
                assertThat(hv.run("rdma", "resource", "show", "cm_id").expect(0).out())
                        .isEmpty();
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        }
    }

    @Test
    void endingHvEndsTheProgramInTheGuestWithItsObjects() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            Path out = Files.createTempFile("greeting", ".out");
            Path err = Files.createTempFile("greeting", ".err");
            try {
                hv.run("up", "-d", "--topo", "pair", "--wait").expect(0);
                Process server = hv.start(out, err, "run", "--in", "b", "examples/Greeting.java", "serve");
                awaitListeners(hv, 1);

                // SIGTERM, which ends hv as Ctrl-C does.
                server.destroy();

                assertThat(server.waitFor(1, TimeUnit.MINUTES)).as("hv ends").isTrue();
                awaitListeners(hv, 0);
                assertThat(hv.run("rdma", "resource", "show", "ctx", "guest", "b")
                                .out())
                        .isEmpty();
                assertThat(hv.run("ps", "--format", "csv").expect(0).out()).containsPattern("pair,b,.*,r");
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        }
    }

    private static void awaitListeners(HvProcess hv, long count) throws Exception {
        long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (hv.run("rdma", "resource", "show", "cm_id", "state", "LISTEN")
                        .expect(0)
                        .out()
                        .lines()
                        .count()
                != count) {
            assertThat(System.nanoTime()).as("%d listeners", count).isLessThan(deadline);
        }
    }
}
