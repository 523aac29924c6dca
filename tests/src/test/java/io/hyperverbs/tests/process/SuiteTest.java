package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/** {@code hv bench suite} from start to end, of the figures that take least. */
@Isolated("keeps all cores busy")
@RunsWhenChanged
class SuiteTest {
    @TempDir
    private Path folder;

    @Test
    void measuresFiguresJudgesClaimsAndLeavesNothing() throws Exception {
        Path claims = folder.resolve("claims.md");
        Path report = folder.resolve("report");
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome run = hv.run(
                            Duration.ofMinutes(5),
                            "bench",
                            "suite",
                            "--quick",
                            "--rounds",
                            "2",
                            "--figure",
                            "events,qps,cq-server,mpi-latency",
                            "--out",
                            report.toString(),
                            "--claims",
                            claims.toString(),
                            "--format",
                            "json")
                    .expect(0);
            JsonNode found = run.json();

            assertThat(found.get("schema").asString()).isEqualTo("hv.suite/1");
            List<String> measured = new ArrayList<>();
            for (JsonNode figure : found.get("figures")) {
                for (JsonNode row : figure.get("rows")) {
                    measured.add(
                            row.get("figure").asString() + " " + row.get("what").asString() + " "
                                    + row.get("series").asString());
                    assertThat(row.get("value").asDouble()).as("%s", row).isPositive();
                }
            }
            assertThat(measured)
                    .contains(
                            "events write native",
                            "events send/recv posted",
                            "events send/recv forwarded",
                            "events write futex wake",
                            "qps write native",
                            "qps write bypass",
                            "qps write forwarded",
                            "cq-server echo native",
                            "cq-server echo bypass",
                            "cq-server echo forwarded",
                            "mpi-latency MPI native",
                            "mpi-latency MPI bypass",
                            "mpi-latency SEND forwarded");
            assertThat(run.err()).contains("figure 4 of 4", "suite.html");
            assertThat(report.resolve("suite.json")).exists();
            assertThat(report.resolve("events-send-recv-0-posted.hgrm")).isNotEmptyFile();
            assertThat(Files.readAllLines(report.resolve("qps.csv"))).hasSize(1 + 2 * 3);
            assertThat(Files.readString(report.resolve("suite.html")))
                    .contains("<svg", "Rate by number of queue pairs");
            assertThat(Files.readString(claims)).contains("no result: not measured", "send/recv");
            assertThat(hv.run("ps", "--format", "json").expect(0).json().get("domains"))
                    .isEmpty();
        }
    }

    @InEachBuild
    @Test
    void refusesWhatItCannotMeasureOrWrite() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            assertThat(hv.run("bench", "suite", "--figure", "latencies")
                            .expect(2)
                            .err())
                    .contains("--figure latencies", "did you mean 'latency'?");
            assertThat(hv.run("bench", "suite", "--rounds", "0").expect(2).err())
                    .contains("--rounds 0");
            assertThat(hv.run(
                                    "bench",
                                    "suite",
                                    "--claims",
                                    folder.resolve("no/claims.md").toString())
                            .expect(1)
                            .err())
                    .contains("cannot write the claims");
        }
    }
}
