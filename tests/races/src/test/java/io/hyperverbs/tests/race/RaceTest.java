package io.hyperverbs.tests.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.Proof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * No forbidden outcome in races over shared memory, for a minute in all, and the planted mistakes
 * show theirs; not in a build in which nothing of it has changed. {@code -Drace.seconds} says how
 * long for each; {@code -Prace} takes 60.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RaceTest {
    private static final Path WORK = Path.of("target/race").toAbsolutePath();
    private static final List<Class<?>> SOUND =
            List.of(WqePublish.class, CqePublish.class, LostDoorbell.class, NeedWake.class, DeregistrationFence.class);
    private static final List<Class<?>> PLANTED = List.of(
            WqePublishPlanted.class,
            CqePublishPlanted.class,
            LostDoorbellPlanted.class,
            NeedWakePlanted.class,
            DeregistrationFencePlanted.class);

    /** For each race. */
    private static final int SECONDS = Integer.getInteger("race.seconds", 12);

    /** How often a planted mistake may hide when other work has the cores. */
    private static final int TRIES = 8;

    private static final Pattern TEST = Pattern.compile("\\] (io\\.hyperverbs\\.\\S+)");
    private static final Pattern OUTCOME = Pattern.compile("\\s([\\d,]+)\\s+<?[\\d.]+%\\s+(Acceptable|Forbidden)");

    private static boolean plantedShow;

    private record Count(long samples, long forbidden) {}

    @BeforeAll
    static void onlyWhatChanged() throws IOException {
        assumeTrue(Proof.RACES.isDue(), "nothing has changed since it held");
    }

    @Test
    @Order(2)
    void showNothingForbidden() throws IOException, InterruptedException {
        Map<String, Count> counts = run(SOUND, SECONDS * 1000L, 0);

        for (Class<?> race : SOUND) {
            Count count = counts.getOrDefault(race.getName(), new Count(0, 0));
            System.out.printf(
                    "%-24s %,14d samples, %d forbidden%n", race.getSimpleName(), count.samples, count.forbidden);
            assertThat(count.samples).as("samples of %s", race).isGreaterThan(1000);
            assertThat(count.forbidden).as("forbidden in %s", race).isZero();
        }
        assertThat(plantedShow).as("planted mistakes showed before").isTrue();
        Proof.RACES.note();
    }

    @Test
    @Order(1)
    void plantedMistakesShow() throws IOException, InterruptedException {
        List<Class<?>> hidden = PLANTED;
        for (int i = 1; i <= TRIES && !hidden.isEmpty(); i++) {
            Map<String, Count> counts = run(hidden, 300L * i, i);
            hidden = hidden.stream()
                    .filter(race -> counts.getOrDefault(race.getName(), new Count(0, 0)).forbidden == 0)
                    .toList();
        }

        assertThat(hidden).as("mistakes that did not show").isEmpty();
        plantedShow = true;
    }

    private static Map<String, Count> run(List<Class<?>> races, long millis, int number)
            throws IOException, InterruptedException {
        long perIteration = Math.max(400, millis / 2);
        Duration deadline = Duration.ofMillis(races.size() * (4 * perIteration + 60_000));
        Path log = Files.createDirectories(WORK).resolve("log-" + number);
        Process stress = new ProcessBuilder(command(races, perIteration))
                .directory(WORK.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(stress.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS))
                    .as("ends within %s, see %s", deadline, log)
                    .isTrue();
            assertThat(stress.exitValue()).as("jcstress, see %s", log).isIn(0, 1);
        } finally {
            stress.descendants().forEach(ProcessHandle::destroyForcibly);
            stress.destroyForcibly();
        }
        return counts(Files.readString(log));
    }

    private static List<String> command(List<Class<?>> races, long perIteration) {
        String names = String.join(
                "|", races.stream().map(race -> race.getSimpleName() + "$").toList());
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "org.openjdk.jcstress.Main",
                "-t",
                "tests\\.race\\.(" + names + ")",
                "-f",
                "1",
                "-iters",
                "2",
                "-time",
                Long.toString(perIteration),
                // One mode of compilation, and threads where the system puts them.
                "-sc",
                "false",
                "-af",
                "NONE",
                "-jvmArgs",
                "--enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -Xmx512m",
                "-v",
                "-r",
                WORK.toString());
    }

    /** Sums of all runs; the summary at the end repeats them and is left out. */
    private static Map<String, Count> counts(String printed) {
        Map<String, Count> counts = new TreeMap<>();
        String test = "";
        for (String line : printed.split("RUN RESULTS:", 2)[0].lines().toList()) {
            Matcher named = TEST.matcher(line);
            if (named.find()) {
                test = named.group(1);
            }
            Matcher outcome = OUTCOME.matcher(line);
            if (outcome.find()) {
                long samples = Long.parseLong(outcome.group(1).replace(",", ""));
                boolean forbidden = outcome.group(2).equals("Forbidden");
                counts.merge(
                        test,
                        new Count(samples, forbidden ? samples : 0),
                        (a, b) -> new Count(a.samples + b.samples, a.forbidden + b.forbidden));
            }
        }
        return counts;
    }
}
