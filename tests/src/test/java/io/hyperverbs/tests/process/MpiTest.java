package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
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

/** {@code hv mpirun}: Open MPI over UCX, with ranks in one guest and in several. */
@SeveralEngines
@RunsWhenChanged("libibverbs")
class MpiTest {
    private static final String PYTHON = "/usr/bin/python3";

    /** Sums over all ranks, and data that goes round a ring of them in messages of several protocols of UCX. */
    private static final String CHECKS = """
        from array import array
        from mpi4py import MPI
        world = MPI.COMM_WORLD
        rank, ranks = world.Get_rank(), world.Get_size()
        assert world.allreduce(rank + 1) == ranks * (ranks + 1) // 2
        sums = array('d', [0.0] * 20000)
        world.Allreduce(array('d', [float(rank + i) for i in range(20000)]), sums)
        assert sums == array('d', [float(ranks * i + ranks * (ranks - 1) // 2) for i in range(20000)])
        def data(rank, length):
            return bytes((rank * 31 + i * 7) & 255 for i in range(length))
        left, right = (rank - 1) % ranks, (rank + 1) % ranks
        for length in (0, 1, 8, 1000, 8193, 65536, 1000000):
            got = bytearray(length)
            world.Sendrecv(data(rank, length), right, recvbuf=got, source=left)
            assert got == data(left, length), length
        print('rank %d of %d on %s: ok' % (rank, ranks, MPI.Get_processor_name()), flush=True)
        """;

    @TempDir
    static Path folder;

    private static ExecutableGuests guests;

    /** Those in which the test has ranks. */
    private List<String> used = List.of("a", "b");

    @BeforeAll
    static void up() throws Exception {
        Path shell = ExecutableGuests.LIBRARIES.resolve("hv-rsh");
        assumeTrue(Files.exists(shell), "hv-rsh was not built: no C compiler, or no infiniband/verbs.h");
        ExecutableGuests.assumePrograms(List.of("orterun", "python3", "hpcc"), "openmpi-bin, python3-mpi4py, hpcc");
        assumeTrue(
                Files.isDirectory(Path.of("/usr/lib/python3/dist-packages/mpi4py")),
                "mpi4py is not installed (python3-mpi4py)");
        guests = ExecutableGuests.start(folder, "mpi", List.of("a", "b", "c", "d"), 2, "128MiB");
    }

    @AfterAll
    static void down() throws Exception {
        if (guests != null) {
            guests.close();
        }
    }

    /** No process, file or queue pair of a run is left. */
    @AfterEach
    void nothingIsLeft() throws Exception {
        for (String guest : used) {
            String left =
                    guests.run("exec", guest, "--", "sh", "-c", """
                        ls -d /tmp/mpi.* /tmp/ompi.* /hv/run/app/p* 2>/dev/null
                        grep -lE 'orted|mpirun|hydra|hv-rsh|python3|hpcc|ranks' /proc/[0-9]*/comm 2>/dev/null; true\
                        """).expect(0).out();
            assertThat(left).isEmpty();
        }
        assertThat(guests.run("rdma", "resource", "show", "qp").expect(0).out()).doesNotContain("RTS");
    }

    @Test
    void ranksOfOneGuestExchangeData() throws Exception {
        String said = mpirun("-n", "2", "--guests", "a", PYTHON, "-c", CHECKS);

        assertThat(said.lines()).containsExactlyInAnyOrder("rank 0 of 2 on a: ok", "rank 1 of 2 on a: ok");
    }

    @InEachBuild
    @Test
    void ranksOfTwoGuestsExchangeData() throws Exception {
        String said = mpirun("-n", "4", "--guests", "a,b", PYTHON, "-c", CHECKS);

        assertThat(said.lines())
                .containsExactlyInAnyOrder(
                        "rank 0 of 4 on a: ok", "rank 1 of 4 on a: ok", "rank 2 of 4 on b: ok", "rank 3 of 4 on b: ok");
    }

    /** It has UCX of this computer too, and a starter of daemons of its own. */
    @Test
    void ranksOfMpichExchangeData() throws Exception {
        ExecutableGuests.assumePrograms(List.of("mpiexec.hydra", "mpicc.mpich"), "mpich, libmpich-dev");
        Path program = new CPrograms(folder).compileForMpich("ranks");
        for (String guest : List.of("a", "b")) {
            CPrograms.install(program, guests, guest);
        }

        String said = mpirun("--mpi", "mpich", "-n", "4", "--guests", "a,b", "/tmp/ranks");

        assertThat(said.lines())
                .containsExactlyInAnyOrder(
                        "rank 0 of 4 on a: sum 6",
                        "rank 1 of 4 on a: sum 6",
                        "rank 2 of 4 on b: sum 6",
                        "rank 3 of 4 on b: sum 6");
    }

    @Test
    void variablesOfMpichReachAllRanks() throws Exception {
        ExecutableGuests.assumePrograms(List.of("mpiexec.hydra"), "mpich");
        String said = mpirun(
                "--mpi", "mpich", "-n", "2", "--guests", "a", "-x", "SAID=one two", "sh", "-c", "echo \"$SAID\"");

        assertThat(said).isEqualTo("one two\none two\n");
    }

    @Test
    void variablesReachAllRanks() throws Exception {
        String said = mpirun("-n", "2", "--guests", "a", "-x", "SAID=one two", "sh", "-c", "echo \"$SAID\"");

        assertThat(said).isEqualTo("one two\none two\n");
    }

    /** HPL, PTRANS, RandomAccess and FFT look at their results themselves. */
    @ParameterizedTest
    @ValueSource(strings = {"a,b", "a,b,c,d"})
    void hpccVerifiesItsResults(String names) throws Exception {
        used = List.of(names.split(","));
        int ranks = 4;
        // It appends to what it wrote before.
        String write = "rm -f /tmp/hpccoutf.txt; printf %s \"$1\" > /tmp/hpccinf.txt";
        guests.run("exec", "a", "--", "sh", "-c", write, "sh", hpccInput(200, ranks / 2, 2))
                .expect(0);
        mpirun("-n", Integer.toString(ranks), "--guests", names, "hpcc");

        String results = guests.run("exec", "a", "--", "cat", "/tmp/hpccoutf.txt")
                .expect(0)
                .out();
        assertThat(results)
                .contains("CommWorldProcs=" + ranks, "Success=1", "1 tests completed and passed residual checks")
                .contains("Found 0 errors in")
                .doesNotContain("FAILED", "(failed)");
        assertThat(results.lines().filter(line -> line.startsWith("AvgPingPongLatency_usec=")))
                .singleElement()
                .satisfies(line -> assertThat(Double.parseDouble(line.substring(line.indexOf('=') + 1)))
                        .isPositive());
    }

    @Test
    void aRunEndsWithTheCodeOfItsRanks() throws Exception {
        HvProcess.Outcome outcome = guests.run(line("-n", "2", "--guests", "a", "sh", "-c", "exit 7"));

        assertThat(outcome.exit()).as("%s", outcome).isEqualTo(7);
    }

    @Test
    void aRunThatTakesTooLongIsEndedInAllGuests() throws Exception {
        HvProcess.Outcome outcome = guests.run(
                        "--timeout", "5s", "mpirun", "-n", "4", "--guests", "a,b", "sh", "-c", "echo begun; sleep 1000")
                .expect(8);

        assertThat(outcome.out()).contains("begun");
        assertThat(outcome.err()).contains("ran too long");
    }

    @Test
    void whatCannotRunIsRefusedInOneLine() throws Exception {
        assertThat(guests.run("mpirun", "-n", "5", "--guests", "a,b", "hpcc")
                        .expect(5)
                        .err())
                .contains("5 ranks, but there is room for 4: a 2, b 2", "executables: {count: N}");
        assertThat(guests.run("mpirun", "-n", "1", "--guests", "e", "hpcc")
                        .expect(4)
                        .err())
                .contains("no guest e");
        assertThat(guests.run("mpirun", "-n", "1", "-x", "HOME", "hpcc")
                        .expect(2)
                        .err())
                .contains("NAME=VALUE");
        assertThat(guests.run("mpirun", "--mpi", "lam", "-n", "1", "hpcc")
                        .expect(2)
                        .err())
                .contains("must be openmpi or mpich");
    }

    private static String mpirun(String... words) throws Exception {
        return guests.run(line(words)).expect(0).out();
    }

    private static String[] line(String... words) {
        List<String> line = new ArrayList<>(List.of("--timeout", "100s", "mpirun"));
        line.addAll(List.of(words));
        return line.toArray(String[]::new);
    }

    /** Matrices of {@code size} by that, on {@code rows} by {@code columns} ranks; the rest as Debian's example has it. */
    private static String hpccInput(int size, int rows, int columns) {
        return """
            HPLinpack benchmark input file
            a test
            HPL.out output file name (if any)
            8       device out (6=stdout,7=stderr,file)
            1       # of problems sizes (N)
            %d      Ns
            1       # of NBs
            40      NBs
            0       PMAP process mapping (0=Row-,1=Column-major)
            1       # of process grids (P x Q)
            %d      Ps
            %d      Qs
            16.0    threshold
            1       # of panel fact
            2       PFACTs (0=left, 1=Crout, 2=Right)
            1       # of recursive stopping criterium
            4       NBMINs (>= 1)
            1       # of panels in recursion
            2       NDIVs
            1       # of recursive panel fact.
            1       RFACTs (0=left, 1=Crout, 2=Right)
            1       # of broadcast
            1       BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
            1       # of lookahead depth
            1       DEPTHs (>=0)
            2       SWAP (0=bin-exch,1=long,2=mix)
            64      swapping threshold
            0       L1 in (0=transposed,1=no-transposed) form
            0       U  in (0=transposed,1=no-transposed) form
            1       Equilibration (0=no,1=yes)
            8       memory alignment in double (> 0)
            ##### This line (no. 32) is ignored (it serves as a separator). ######
            0       Number of additional problem sizes for PTRANS
            1200    values of N
            0       number of additional blocking sizes for PTRANS
            40      values of NB
            """.formatted(size, rows, columns);
    }
}
