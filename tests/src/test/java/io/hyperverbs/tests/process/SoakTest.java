package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * {@code hv isolate --soak} from start to end: ten seconds with a fault in two, and a load that
 * leaves other tests some of the computer. {@code -Dsoak.seconds=300} is {@code hv isolate --soak
 * 5m}: a fault in ten seconds, at 70 % of the peak.
 */
@Order(3)
class SoakTest {
    private static final int SECONDS = Integer.getInteger("soak.seconds", 10);
    private static final boolean BRIEF = SECONDS < 100;
    private static final int EVERY = BRIEF ? 2 : 10;
    private static final String LOAD = BRIEF ? "30" : "70";

    @Test
    void nothingIsWrongAndNothingIsLeft() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            JsonNode soak = hv.run(
                            Duration.ofSeconds(SECONDS).plusMinutes(4),
                            "isolate",
                            "--soak",
                            SECONDS + "s",
                            "--every",
                            EVERY + "s",
                            "--load",
                            LOAD,
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
            assertThat(faults).isEqualTo(5L + SECONDS / EVERY);
            assertThat(soak.get("verdict").asString()).isEqualTo("contained");
            assertThat(soak.get("had_per_second").asLong()).isPositive();
        }
    }

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
