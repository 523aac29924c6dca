package io.hyperverbs.tests.process;

import static java.util.function.Predicate.isEqual;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Executables that attack their guest's driver and the HCA, and those that are killed. There is room for one at a time, so
 * that the next finds out what is left.
 */
@SeveralEngines
@RunsWhenChanged("libibverbs")
class HostileExecutableTest {
    private static final int KILLS = 200;

    /** What is left: the next program has a device, which it only has when the memory is back; and there is no process. */
    private static final String LOOK = """

        ibv_devinfo | grep -c PORT_ACTIVE
        ps -e -o comm= | grep -c -e attacks -e restless || true\
        """;

    @TempDir
    static Path folder;

    private static ExecutableGuests guests;
    private static Path attacks;
    private static Path driversFiles;

    @BeforeAll
    static void up() throws Exception {
        CPrograms.assumeCompiler();
        guests = ExecutableGuests.start(folder, "hostile", 1, "64MiB");
        CPrograms programs = new CPrograms(folder);
        attacks = programs.compileWithChannel("attacks");
        Path restless = programs.compile("restless");
        CPrograms.install(attacks, guests, "a");
        CPrograms.install(restless, guests, "a");
        CPrograms.install(restless, guests, "b");
        driversFiles = Path.of("/proc", domain().path("pid").asString(), "fd");
        // The driver opens some of its files at its first use.
        guests.exec("a", List.of("ibv_devinfo")).expect(0);
        // And closes those of a program when it finds out that it is gone.
        AtomicLong last = new AtomicLong();
        await("the driver has closed what it closes")
                .during(Duration.ofSeconds(1))
                .until(() -> {
                    long now = descriptors();
                    return last.getAndSet(now) == now;
                });
    }

    @AfterAll
    static void down() throws Exception {
        if (guests != null) {
            guests.close();
        }
    }

    /** Meanwhile a program of the other guest works, which notices nothing. */
    @TestFactory
    Stream<DynamicTest> anAttackGetsNothingAndLeavesNothing() throws Exception {
        CompletableFuture<HvProcess.Outcome> neighbour =
                guests.inBackground(900, "b", List.of("/tmp/restless", "/tmp/over"));
        List<String> names =
                CPrograms.output(List.of(attacks.toString(), "list")).lines().toList();
        return Stream.concat(
                names.stream().map(name -> dynamicTest(name, () -> attack(name))),
                Stream.of(dynamicTest("the neighbour has noticed nothing", () -> {
                    assertThat(neighbour).isNotDone();
                    guests.run("exec", "b", "touch", "/tmp/over").expect(0);
                    assertThat(neighbour.get(60, TimeUnit.SECONDS).expect(0).out())
                            .contains("used");
                })));
    }

    private static void attack(String name) throws Exception {
        long descriptors = descriptors();

        String seen = guests.exec("a", List.of("sh", "-c", "/tmp/attacks " + name + "; echo exit $?" + LOOK))
                .out();

        assertThat(seen).as("exit code, ports and processes").endsWith("exit 0\n2\n0\n");
        assertNothingIsLeft(descriptors);
    }

    /** At points that a seeded generator takes, from before it connects to its tenth round. */
    @Test
    void aKilledExecutableLeavesNothing() throws Exception {
        long descriptors = descriptors();

        String seen = guests.exec(300, "a", List.of("bash", "-c", """
            RANDOM=23
            for ((i = 0; i < $0; i++)); do
                /tmp/restless /tmp/never >>/tmp/used 2>>/tmp/failed &
                sleep 0.$(printf %03d $((RANDOM % 300)))
                kill -KILL $!
                wait $! 2>/dev/null
            done
            wc -l </tmp/used
            wc -l </tmp/failed
            """ + LOOK, Integer.toString(KILLS)))
                .expect(0)
                .out();

        List<String> counts = seen.lines().toList();
        assertThat(Integer.parseInt(counts.getFirst())).as("used").isBetween(1, KILLS);
        assertThat(counts).as("used, failed, ports and processes").endsWith("0", "2", "0");
        assertNothingIsLeft(descriptors);
    }

    private static void assertNothingIsLeft(long descriptors) throws Exception {
        JsonNode domain = domain();
        for (String kind : List.of("qp", "cq", "mr", "registered")) {
            assertThat(domain.path(kind).asLong(-1))
                    .as("%s of %s", kind, domain)
                    .isZero();
        }
        // Those of the last one go when the driver finds out that it is gone.
        await("descriptors of the driver").until(HostileExecutableTest::descriptors, isEqual(descriptors));
    }

    /** Of the driver; 0 for an ordinary user, to whom it does not show them. */
    private static long descriptors() throws Exception {
        if (!Files.isReadable(driversFiles)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(driversFiles)) {
            return all.count();
        }
    }

    private static JsonNode domain() throws Exception {
        for (JsonNode domain :
                guests.run("--format", "json", "ps").expect(0).json().path("domains")) {
            if (domain.path("name").asString().equals("a")) {
                return domain;
            }
        }
        throw new AssertionError("no guest a");
    }
}
