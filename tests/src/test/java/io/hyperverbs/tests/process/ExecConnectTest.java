package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executables that connect through librdmacm, as rdma-core and perftest are installed. */
@SeveralEngines
@RunsWhenChanged("libibverbs")
class ExecConnectTest {
    private static final List<String> PROGRAMS =
            List.of("rping", "ucmatose", "udaddy", "mckey", "rdma_server", "ib_send_bw", "ib_write_bw", "ib_send_lat");

    /** Exit code of hv. */
    private static final int TOO_LONG = 8;

    @TempDir
    static Path folder;

    private static ExecutableGuests guests;

    @BeforeAll
    static void up() throws Exception {
        Path library = ExecutableGuests.LIBRARIES.resolve("librdmacm.so.1");
        assumeTrue(Files.exists(library), "librdmacm.so.1 was not built: no C compiler, or no rdma/rdma_cma.h");
        ExecutableGuests.assumePrograms(PROGRAMS, "rdmacm-utils, perftest");
        guests = ExecutableGuests.start(folder, "exec-connect", 2, "64MiB");
    }

    @AfterAll
    static void down() throws Exception {
        if (guests != null) {
            guests.close();
        }
    }

    /** rping looks itself whether the data came back as sent (-V). */
    @Test
    void rpingRunsWithinAGuest() throws Exception {
        runBoth("a", "127.0.0.1", "rping -s -C 20 -V", "rping -c -C 20 -V -a");
    }

    @InEachBuild
    @Test
    void rpingRunsBetweenTwoGuestsByName() throws Exception {
        runBoth("b", "b", "rping -s -C 20 -V", "rping -c -C 20 -V -a");
    }

    /** Many connections on one event channel; ids move to another. */
    @Test
    void ucmatoseConnectsSeveralTimes() throws Exception {
        runBoth("a", "127.0.0.1", "ucmatose -c 8 -C 4", "ucmatose -c 8 -C 4 -s");
        runBoth("a", "127.0.0.1", "ucmatose -c 4 -C 4 -m", "ucmatose -c 4 -C 4 -m -s");
    }

    /** They register memory of their data segment. */
    @Test
    void rdmaClientReachesRdmaServer() throws Exception {
        assertThat(runBoth("a", "127.0.0.1", "rdma_server", "rdma_client -s").out())
                .contains("rdma_client: end 0");
    }

    /** Its sender waits for three seconds, so that the receiver is in the group by then. */
    @Test
    void mckeySendsToAGroup() throws Exception {
        List<String> words = List.of("mckey", "-m", "239.1.2.3", "-c", "2", "-b", "127.0.0.1");
        CompletableFuture<HvProcess.Outcome> receives = guests.inBackground("a", words);
        awaitQueuePair(receives);
        List<String> sending = new ArrayList<>(words);
        sending.add("-s");

        assertThat(guests.runClient(receives, sending).out()).contains("ff12:4001:ffff::f01:203", "return status 0");
    }

    /** Its queue pair is in a group, in which none is destroyed. */
    @Test
    void aProgramThatIsKilledLeavesItsGroups() throws Exception {
        guests.run("--timeout", "6s", "exec", "b", "--", "mckey", "-m", "239.9.9.9", "-b", "127.0.0.1")
                .expect(TOO_LONG);

        Instant end = Instant.now().plus(Duration.ofSeconds(60));
        while (!guests.run("rdma", "resource", "show", "qp").expect(0).out().isBlank()) {
            assertThat(Instant.now()).isBefore(end);
        }
    }

    /** Each end gets as many datagrams as the other sends, and answers those that it got. */
    @Test
    void udaddyExchangesDatagrams() throws Exception {
        assertThat(runBoth("a", "127.0.0.1", "udaddy -c 4 -C 20", "udaddy -c 4 -C 20 -s")
                        .out())
                .contains("data transfers complete", "return status 0");
    }

    @Test
    void udaddyRunsBetweenTwoGuestsByName() throws Exception {
        assertThat(runBoth("b", "b", "udaddy", "udaddy -s").out()).contains("return status 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ib_send_bw -R -s 65536 -n 500 -F",
                "ib_send_bw -R -c UD -s 2048 -n 500 -F",
                "ib_write_bw -R -s 65536 -n 500 -F",
                "ib_send_lat -R -n 500 -F"
            })
    void perftestConnects(String command) throws Exception {
        assertThat(runBoth("a", "127.0.0.1", command, command).out()).containsPattern("#bytes");
    }

    @Test
    void aCallThatNobodyListensToIsRejected() throws Exception {
        HvProcess.Outcome outcome = guests.exec("a", List.of("rping", "-c", "-C", "1", "-a", "127.0.0.1"));

        assertThat(outcome.exit()).isNotZero();
        assertThat(outcome.out() + outcome.err()).contains("REJECTED, error 8");
    }

    /** Ports of datagrams are others than those of connections; 1 is the status of a SIDR_REP for no service. */
    @Test
    void aServiceOfDatagramsThatNobodyListensToIsUnreachable() throws Exception {
        CompletableFuture<HvProcess.Outcome> serves =
                guests.inBackground("a", List.of("rping", "-s", "-C", "1", "-p", "7174"));
        guests.awaitConnectionManager(serves, true);

        HvProcess.Outcome outcome = guests.exec("a", List.of("udaddy", "-s", "127.0.0.1"));

        assertThat(outcome.exit()).isNotZero();
        assertThat(outcome.out() + outcome.err()).contains("UNREACHABLE, error: 1");
        guests.runClient(serves, List.of("rping", "-c", "-C", "1", "-p", "7174", "-a", "127.0.0.1"));
        guests.awaitConnectionManager(serves, false);
    }

    /** Runs a server, and in guest a its client; nothing of the two is left in the HCA. */
    private HvProcess.Outcome runBoth(String server, String address, String serving, String calling) throws Exception {
        CompletableFuture<HvProcess.Outcome> serves = guests.inBackground(server, List.of(serving.split(" ")));
        List<String> words = new ArrayList<>(List.of(calling.split(" ")));
        words.add(address);
        return guests.runConnecting(serves, words);
    }

    private static void awaitQueuePair(CompletableFuture<HvProcess.Outcome> of) throws Exception {
        Instant end = Instant.now().plus(Duration.ofSeconds(60));
        while (!guests.run("rdma", "resource", "show", "qp").expect(0).out().contains("RTS")) {
            assertThat(of).isNotDone();
            assertThat(Instant.now()).isBefore(end);
        }
    }
}
