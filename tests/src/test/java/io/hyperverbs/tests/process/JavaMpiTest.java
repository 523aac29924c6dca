package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.ledger.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code hv mpirun} of Java programs: ranks in guest processes, with the project's own MPI. */
@SeveralEngines
@RunsWhenChanged({"lab/mpi", "lab/nas", "libibverbs", "upper/mpi"})
class JavaMpiTest {
    /** Rank 1 prints when it ends, or waits to be killed; all others wait for it, and print when they know of its end. */
    private static final String WAITING = """
        import mpi.*;

        public final class Waiting {
            public static void main(String[] args) throws Exception {
                MPI.Init(args);
                int rank = MPI.COMM_WORLD.getRank();
                if (rank == 1 && args[0].equals("exit")) {
                    for (int other = 0; other < MPI.COMM_WORLD.getSize() - 1; other++) {
                        MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 1);
                    }
                    say(rank, "ends");
                    System.exit(7);
                }
                say(rank, "waits");
                try {
                    MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, 1, 1);
                    MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1, 0);
                } catch (MPIException e) {
                    say(rank, "knows");
                    throw e;
                }
            }

            private static void say(int rank, String what) {
                System.out.println("rank " + rank + " " + what + " " + System.currentTimeMillis());
            }
        }
        """;

    @TempDir
    static Path folder;

    private static HvProcess hv;

    @BeforeAll
    static void up() throws Exception {
        hv = JobRuns.up(folder, "ranks");
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
    @ValueSource(strings = {"2 a,b", "8 a,b", "2 c,d", "3 a,c"})
    void ranksDoWhatMpiPromises(String ranksAndGuests) throws Exception {
        String[] words = ranksAndGuests.split(" ");
        long seed = Math.floorMod(Sources.seed(), 1_000_000_000L);
        // Forwarded messages cost some hundred microseconds each.
        int messages = words[1].contains("c") ? 1000 : 20_000;

        String said = hv.run("mpirun", "-n", words[0], "--guests", words[1], "mpi-check", "" + messages, "" + seed)
                .expect(0)
                .out();

        assertThat(said.lines().toList()).hasSize(2);
        assertThat(said)
                .containsPattern("mpi-check: 2[0-9] cases pass on " + words[0] + " ranks")
                .containsPattern("mpi-check: [0-9]{4,5} random messages, 0 differences, seed " + seed);
    }

    @Test
    void sendersWriteWhereReceiversAskForIt() throws Exception {
        String said = hv.run("mpirun", "-n", "3", "--guests", "a,b", "mpi-check", "3000", "9", "write")
                .expect(0)
                .out();

        assertThat(said).containsPattern("mpi-check: [0-9]{4} random messages, 0 differences, seed 9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "forwarded"})
    void ranksRunInAMachineThatIsStartedForThem(String path) throws Exception {
        String said = hv.run("mpirun", "-n", "2", "--data-path", path, "mpi-check", "1000", "5")
                .expect(0)
                .out();

        assertThat(said).containsPattern("mpi-check: [0-9]{4,5} random messages, 0 differences, seed 5");
        assertThat(hv.run("ps").expect(0).out()).doesNotContain("mpirun");
    }

    @Test
    void aNativeRankThatExitsEndsItsJobAndNotTheDeviceDomain() throws Exception {
        Path program = Files.writeString(folder.resolve("Waiting.java"), WAITING);

        HvProcess.Outcome run = hv.run("mpirun", "-n", "4", "--data-path", "native", program.toString(), "exit");

        assertThat(run.exit()).as(run.err()).isEqualTo(7);
        assertThat(run.err()).contains("hv: rank 1 in a ended with exit code 7, the other ranks are stopped");
        JobRuns.assertAllKnow(run.out(), List.of(0, 2, 3), 0);
    }

    @InEachBuild
    @Test
    void ranksAreSpreadOverTheGuestsAndTheirLinesAreWhole() throws Exception {
        HvProcess.Outcome run = hv.run("mpirun", "-n", "5", "--guests", "b,a", "examples/Pi.java")
                .expect(0);

        assertThat(run.out().lines())
                .contains(
                        "rank 0 of 5 in b",
                        "rank 1 of 5 in b",
                        "rank 2 of 5 in b",
                        "rank 3 of 5 in a",
                        "rank 4 of 5 in a")
                .anyMatch(line -> line.startsWith("pi is 3.14159265"))
                .hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EP", "IS", "CG", "FT", "MG"})
    void nasKernelsVerifyOverTwoGuests(String kernel) throws Exception {
        String said = hv.run("mpirun", "-n", "2", "--guests", "a,b", "nas", kernel, "S")
                .expect(0)
                .out();

        assertThat(said.lines()).contains("verified");
    }

    @Test
    void aBenchmarkMeasuresEachFigureOnEachPath() throws Exception {
        JsonNode rows = hv.run("bench", "mpi", "--quick", "--rounds", "1", "-s", "8,1024", "--format", "json")
                .expect(0)
                .json()
                .get("rows");

        List<String> figures = new ArrayList<>();
        for (JsonNode row : rows) {
            figures.add(row.get("what").asString() + " " + row.get("size").asString("-"));
            for (String path : List.of("native", "bypass", "forwarded")) {
                assertThat(row.get(path).asDouble()).as("%s %s", path, row).isPositive();
            }
        }
        assertThat(figures)
                .containsExactly(
                        "half trip, us 8",
                        "half trip, us 1024",
                        "half trip by SEND, us 8",
                        "half trip by SEND, us 1024",
                        "half trip / SEND 8",
                        "half trip / SEND 1024",
                        "bandwidth, MiB/s 1024",
                        "RDMA write, MiB/s 1024",
                        "bandwidth / RDMA write 1024",
                        "both ways, MiB/s 1024",
                        "messages, 1000/s 8",
                        "messages, 1000/s 1024",
                        "barrier, us -",
                        "bcast, us 8",
                        "bcast, us 1024",
                        "allReduce, us 8",
                        "allReduce, us 1024",
                        "allToAll, us 8",
                        "allToAll, us 1024");
        assertThat(hv.run("ps").expect(0).out()).doesNotContain("mpi-");
    }

    @Test
    void aRankThatFailsEndsTheOthersAndSaysSo() throws Exception {
        Path program = Files.writeString(folder.resolve("Waiting.java"), WAITING);

        HvProcess.Outcome run = hv.run("mpirun", "-n", "4", "--guests", "a,b", program.toString(), "exit");

        assertThat(run.exit()).as(run.err()).isEqualTo(7);
        assertThat(run.err()).contains("hv: rank 1 in a ended with exit code 7, the other ranks are stopped");
        JobRuns.assertAllKnow(run.out(), List.of(0, 2, 3), 0);
    }

    @Test
    void aGuestThatIsKilledEndsItsJob() throws Exception {
        Path program = Files.writeString(folder.resolve("Waiting.java"), WAITING);

        JobRuns.killOneOfTwoGuests(folder, program);
    }

    @Test
    void whatCannotRunIsRefusedInOneLine() throws Exception {
        for (List<String> words : List.of(
                List.of("-n", "0", "mpi-check"),
                List.of("-n", "65", "mpi-check"),
                List.of("-n", "2", "--mpi", "mpich", "mpi-check"),
                List.of("-n", "2", "-x", "A=B", "mpi-check"),
                List.of("-n", "2", "--data-path", "straight", "mpi-check"),
                List.of("-n", "2", "--data-path", "native", "--guests", "a", "mpi-check"),
                List.of("-n", "2", "--data-path", "native", "hpcc"))) {
            List<String> line = new ArrayList<>(List.of("mpirun"));
            line.addAll(words);
            HvProcess.Outcome run = hv.run(line.toArray(String[]::new));
            assertThat(run.exit()).as("%s: %s", words, run.err()).isEqualTo(2);
            assertThat(run.err().lines()).hasSize(1);
        }
        HvProcess.Outcome unknown = hv.run("mpirun", "-n", "2", "--guests", "a,bb", "mpi-check");
        assertThat(unknown.err().lines()).hasSize(1).first().asString().contains("no guest bb runs");
    }
}
