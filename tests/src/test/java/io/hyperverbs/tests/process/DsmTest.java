package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.ledger.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Distributed shared memory of nodes in guest processes. */
@SeveralEngines
@RunsWhenChanged({"lab/dsm", "libibverbs", "upper/dsm"})
class DsmTest {
    /** Node 2 ends while it holds the lock that all others wait for, or waits to be killed; the others print when they know. */
    private static final String HOLDING = """
        import io.hyperverbs.upper.dsm.Dsm;
        import io.hyperverbs.upper.dsm.error.DsmException;

        public final class Holding {
            public static void main(String[] args) throws Exception {
                Dsm dsm = Dsm.join();
                int node = dsm.node();
                if (node == 2) {
                    dsm.lock(0);
                }
                dsm.barrier();
                if (node == 2 && args[0].equals("exit")) {
                    say(node, "ends");
                    System.exit(7);
                }
                say(node, "waits");
                try {
                    if (node == 2) {
                        dsm.barrier();
                    } else {
                        dsm.lock(0);
                    }
                } catch (DsmException e) {
                    say(node, "knows");
                    throw e;
                }
            }

            private static void say(int node, String what) {
                System.out.println("rank " + node + " " + what + " " + System.currentTimeMillis());
            }
        }
        """;

    @TempDir
    static Path folder;

    private static HvProcess hv;

    @BeforeAll
    static void up() throws Exception {
        hv = JobRuns.up(folder, "nodes");
    }

    @AfterAll
    static void down() throws Exception {
        hv.close();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        JobRuns.assertNothingIsLeft(hv);
    }

    @ParameterizedTest
    @CsvSource({
        "2, 'a,b', event, 3000",
        "4, 'a,b', polling, 2000",
        "8, 'a,b', task-queue, 500",
        "3, 'a,b', process, 1000",
        "2, 'c,d', event, 200",
        "3, 'a,c', event, 200"
    })
    void outcomesOfRandomProgramsAreSequentiallyConsistent(int nodes, String guests, String handling, int programs)
            throws Exception {
        long seed = Math.floorMod(Sources.seed(), 1_000_000_000L);

        String said = hv.run(
                        "mpirun", "-n", "" + nodes, "--guests", guests, "dsm-check", "" + programs, "" + seed, handling)
                .expect(0)
                .out();

        assertThat(said)
                .startsWith("dsm-check: " + programs + " random programs on " + nodes + " nodes, ")
                .contains("all sequentially consistent, seed " + seed);
    }

    @ParameterizedTest
    @CsvSource({"1, a", "2, 'a,b'", "4, 'a,b'", "8, 'a,b'", "2, 'c,d'"})
    void applicationsFindWhatTheirSequentialRunsFind(int nodes, String guests) throws Exception {
        String said = hv.run("mpirun", "-n", "" + nodes, "--guests", guests, "dsm", "all", "small")
                .expect(0)
                .out();

        assertThat(said.lines().toList())
                .hasSize(7)
                .allMatch(line -> line.contains(": right on " + nodes + (nodes == 1 ? " node" : " nodes")));
    }

    @Test
    void nodesRunNatively() throws Exception {
        String said = hv.run("mpirun", "-n", "3", "--data-path", "native", "dsm-check", "1000", "3")
                .expect(0)
                .out();

        assertThat(said).contains("1000 random programs on 3 nodes").contains("all sequentially consistent");
    }

    @InEachBuild
    @Test
    void aProgramOfTheUserSharesAnArray() throws Exception {
        String said = hv.run("mpirun", "-n", "2", "--guests", "a,b", "examples/Jacobi.java")
                .expect(0)
                .out();

        assertThat(said.lines().toList())
                .hasSize(2)
                .first()
                .asString()
                .matches("the middle of the rod has 0\\.[0-9]{4}");
    }

    @Test
    void aNodeThatFailsEndsTheOthersAndSaysSo() throws Exception {
        Path program = Files.writeString(folder.resolve("Holding.java"), HOLDING);

        HvProcess.Outcome run = hv.run("mpirun", "-n", "4", "--guests", "a,b", program.toString(), "exit");

        assertThat(run.exit()).as(run.err()).isEqualTo(7);
        assertThat(run.err()).contains("hv: rank 2 in b ended with exit code 7, the other ranks are stopped");
        JobRuns.assertAllKnow(run.out(), List.of(0, 1, 3), 0);
    }

    @Test
    void aGuestThatIsKilledEndsItsJob() throws Exception {
        Path program = Files.writeString(folder.resolve("Holding.java"), HOLDING);

        JobRuns.killOneOfTwoGuests(folder, program);
    }
}
