package io.hyperverbs.lab.run.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.mpi.PerfLine;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.progress.QuietProgress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which jobs are run, and what is made of what they print. */
class MpiBenchTest {
    private static final String NAS = """
        kernel      CG
        warm-up     212 rounds
        round 1     0.200 s
        round 2     0.400 s
        round 3     0.100 s
        round 4     0.300 s
        time        0.250 s, median of rounds 1 to 4
        verified
        """;

    private final List<String> jobs = new ArrayList<>();

    /** Figures of the first round are wrong by far, as it warms up. */
    private String answer(String path, int ranks, String program, List<String> args) {
        jobs.add(path + " " + ranks + " " + program + " " + String.join(" ", args));
        if (program.equals("nas")) {
            return NAS;
        }
        double round = jobs.size() <= 3 ? 1000 : jobs.size() / 4.0;
        double scale = path.equals("native") ? 1 : 2;
        return "other words\n"
                + new PerfLine(PerfLine.SEND_HALF_TRIP, 8, 2 * scale).text() + "\n"
                + new PerfLine(PerfLine.HALF_TRIP, 8, 2.4 * scale * round).text() + "\n";
    }

    @Test
    void pathsTakeTurnsAndTheFirstRoundDoesNotCount() throws Exception {
        MpiBench bench = new MpiBench(new MpiPlan(List.of(0, 8), 2, 1, 40, ""), this::answer);

        bench.run(new QuietProgress());

        assertThat(jobs)
                .hasSize(6)
                .startsWith(
                        "native 2 mpi-perf lines all 40 0,8",
                        "bypass 2 mpi-perf lines all 40 0,8",
                        "forwarded 2 mpi-perf lines all 40 0,8",
                        "native 2 mpi-perf lines all 40 0,8");
        assertThat(bench.table().render(Format.CSV))
                .startsWith("what,size,native,bypass,forwarded,bypass_native,forwarded_native\n")
                .contains("\"half trip, us\",8,2.4,6.0,7.2,2.5,3.0\n")
                .contains("\"half trip by SEND, us\",8,2.0,4.0,4.0,2.0,2.0\n")
                .contains("half trip / SEND,8,1.2,1.5,1.8,,\n");
    }

    @Test
    void messagesBesideVerbsAreJudged() throws Exception {
        MpiBench bench = new MpiBench(new MpiPlan(List.of(8), 2, 1, 40, ""), this::answer);

        bench.run(new QuietProgress());
        bench.note(
                "native",
                List.of(
                        new PerfLine(PerfLine.BANDWIDTH, 1 << 20, 80),
                        new PerfLine(PerfLine.WRITE_BANDWIDTH, 1 << 20, 100)));

        assertThat(bench.sentences())
                .containsExactly(
                        "native: half a round trip of 8 bytes takes 1.20 (1.20 to 1.20) of a SEND, bound 1.3 at most:"
                                + " held.",
                        "native: messages of 1 MiB have 0.80 (0.80 to 0.80) of the bandwidth of RDMA writes, bound 0.85"
                                + " at least: not held.",
                        "bypass: half a round trip of 8 bytes takes 1.50 (1.50 to 1.50) of a SEND, bound 1.3 at most:"
                                + " not held.",
                        "forwarded: half a round trip of 8 bytes takes 1.80 (1.80 to 1.80) of a SEND, bound 1.3 at"
                                + " most: not held.");
    }

    @Test
    void operationsOfMoreRanksAreJobsOfTheirOwn() throws Exception {
        new MpiBench(new MpiPlan(List.of(8), 4, 1, 40, ""), this::answer).run(new QuietProgress());

        assertThat(jobs)
                .hasSize(12)
                .startsWith(
                        "native 2 mpi-perf lines messages 40 8",
                        "native 4 mpi-perf lines operations 40 8",
                        "bypass 2 mpi-perf lines messages 40 8");
    }

    @Test
    void theMedianOfAWarmKernelCountsInThreeRoundsAtMost() throws Exception {
        MpiPlan plan = new MpiPlan(List.of(8), 2, 5, 40, "S");
        MpiBench bench = new MpiBench(plan, this::answer);

        bench.run(new QuietProgress());

        assertThat(jobs.stream().filter(job -> job.equals("forwarded 2 nas MG S warm")))
                .hasSize(3);
        assertThat(jobs).hasSize((int) plan.jobs());
        assertThat(bench.table().render(Format.CSV)).contains("\"NAS CG S, ms\",,250.0,250.0,250.0,1.0,1.0\n");
    }

    @Test
    void aJobWithoutFiguresIsAFailure() {
        MpiBench silent = new MpiBench(new MpiPlan(List.of(8), 2, 1, 40, ""), (_, _, _, _) -> "nothing\n");

        assertThatThrownBy(() -> silent.run(new QuietProgress()))
                .isInstanceOf(HvException.class)
                .hasMessageContaining("mpi-perf measured nothing on the path native");
        MpiJobs brief = new MpiJobs((_, _, _, _) -> "warm-up  3 rounds");
        assertThatThrownBy(() -> brief.kernelMillis("bypass", 2, "CG", "S"))
                .isInstanceOf(HvException.class)
                .hasMessageContaining("nas CG measured nothing on the path bypass");
    }
}
