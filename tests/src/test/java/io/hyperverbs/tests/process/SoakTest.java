package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.Proof;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * {@code hv isolate --soak} from start to end: five minutes with a fault in ten seconds at 70 % of
 * the peak; where nothing has changed, ten seconds with a fault in two, and a load that leaves other
 * tests some of the computer. {@code -Dsoak.seconds} says for how long.
 */
@Order(3)
@RunsWhenChanged
class SoakTest {
    private static final int FULL_SECONDS = 300;
    private static final int SMALL_SECONDS = 10;

    @Test
    void nothingIsWrongAndNothingIsLeft() throws Exception {
        int seconds = Integer.getInteger("soak.seconds", Proof.SOAK.isDue() ? FULL_SECONDS : SMALL_SECONDS);
        boolean brief = seconds < FULL_SECONDS;
        int every = brief ? 2 : 10;
        try (HvProcess hv = new HvProcess()) {
            JsonNode soak = hv.run(
                            // Beside other proofs at full size a fault takes three times as long.
                            Duration.ofSeconds(3L * seconds).plusMinutes(4),
                            "isolate",
                            "--soak",
                            seconds + "s",
                            "--every",
                            every + "s",
                            "--load",
                            brief ? "30" : "70",
                            "--duration",
                            "400ms",
                            "--core",
                            "shared",
                            "--format",
                            "json")
                    .expect(0)
                    .json();

            long faults = 0;
            for (JsonNode kind : soak.get("faults")) {
                faults += kind.get("times").asLong();
                assertThat(kind.get("harmed").asLong()).as("%s", kind).isZero();
            }
            assertThat(faults).isEqualTo(5L + seconds / every);
            assertThat(soak.get("verdict").asString()).isEqualTo("contained");
            assertThat(soak.get("had_per_second").asLong()).isPositive();
            if (!brief) {
                Proof.SOAK.note();
            }
        }
    }

    @InEachBuild
    @Test
    void refusesWhatIsNoSoak() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            List<String> said = new ArrayList<>();
            said.add(hv.run("isolate", "--soak", "10s", "--load", "0").expect(2).err());
            said.add(hv.run("isolate", "--soak", "5s", "--every", "10s")
                    .expect(2)
                    .err());
            said.add(hv.run("isolate", "--soak", "10s", "quotas.neighbour")
                    .expect(2)
                    .err());

            assertThat(said.get(0)).contains("--load 0");
            assertThat(said.get(1)).contains("--soak 5s with a fault every 10s");
            assertThat(said.get(2)).contains("none of these attacks");
        }
    }
}
