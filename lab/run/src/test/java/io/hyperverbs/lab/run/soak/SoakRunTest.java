package io.hyperverbs.lab.run.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SoakRunTest {
    private static final long MILLI = 1_000_000;
    private static final List<IsolationCase> ATTACKS =
            Isolation.cases(List.of("queues")).subList(0, 4);
    private static final SoakPlan PLAN =
            new SoakPlan(Duration.ofSeconds(100), Duration.ofSeconds(10), 70, 3, Duration.ofSeconds(1), ATTACKS);

    /** A machine of whose time the test disposes; victims make a round each millisecond. */
    private static final class Made implements Ground {
        final List<String> faults = new ArrayList<>();
        final List<Long> moments = new ArrayList<>();
        final List<Holding> held = new ArrayList<>();
        long now;
        long faultMillis = 500;
        int breachAt = -1;
        Verdict wrong = Verdict.BREACH;

        @Override
        public Outcome make(SoakFault fault, long dice) {
            faults.add(fault.word());
            moments.add(now / MILLI);
            now += faultMillis * MILLI;
            return faults.size() == breachAt
                    ? new Outcome(wrong, "bob saw it", faultMillis)
                    : new Outcome(Verdict.CONTAINED, "well", faultMillis);
        }

        @Override
        public long peakPerSecond() {
            return 2000;
        }

        @Override
        public long rounds() {
            return now / MILLI;
        }

        @Override
        public List<Holding> holdings() {
            return List.of(held.size() > 1 ? held.removeFirst() : held.getFirst());
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void awaitNanos(long nanos) {
            now = Math.max(now, nanos);
        }
    }

    private static Holding holding(long heap, long threads, long descriptors) {
        return new Holding("VMM", heap, Map.of("console", threads), OptionalLong.of(descriptors));
    }

    private final Made ground = new Made();
    private final List<FaultResult> heard = new ArrayList<>();

    private SoakResult run() throws Exception {
        return new SoakRun(PLAN, ground, heard::add).run();
    }

    @Test
    void afterOneOfEachKindThereIsAFaultEveryTenSeconds() throws Exception {
        ground.held.add(holding(1000, 5, 9));

        SoakResult result = run();

        assertThat(SoakRun.faults(PLAN)).isEqualTo(15);
        assertThat(heard).hasSize(15).isEqualTo(result.faults());
        assertThat(ground.moments.subList(5, 15))
                .containsExactly(
                        2_500L, 12_500L, 22_500L, 32_500L, 42_500L, 52_500L, 62_500L, 72_500L, 82_500L, 92_500L);
        assertThat(ground.now).isEqualTo(102_500 * MILLI);
        assertThat(ground.faults.subList(0, 5)).contains("guest.killed", "guest.frozen");
        assertThat(ground.faults.stream()
                        .filter(word -> word.startsWith("queues"))
                        .distinct())
                .hasSize(ATTACKS.size());
        assertThat(result.askedPerSecond()).isEqualTo(1400);
        assertThat(result.hadPerSecond()).isEqualTo(1000);
        assertThat(result.verdict()).isEqualTo(Verdict.CONTAINED);
    }

    @Test
    void faultsThatTakeLongFollowEachOther() throws Exception {
        ground.held.add(holding(1000, 5, 9));
        ground.faultMillis = 25_000;

        assertThat(run().faults()).hasSize(15);
    }

    @Test
    void aBreachIsTheEnd() throws Exception {
        ground.held.add(holding(1000, 5, 9));
        ground.breachAt = 7;

        SoakResult result = run();

        assertThat(result.faults()).hasSize(7);
        assertThat(result.verdict()).isEqualTo(Verdict.BREACH);
    }

    @Test
    void aFaultThatCouldNotBeMadeIsNotTheEndAndNoPass() throws Exception {
        ground.held.add(holding(1000, 5, 9));
        ground.breachAt = 7;
        ground.wrong = Verdict.FAILED;

        SoakResult result = run();

        assertThat(result.faults()).hasSize(15);
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
    }

    @Test
    void threadsThatEndAMomentLaterAreNotMissed() throws Exception {
        ground.held.addAll(List.of(holding(1000, 5, 9), holding(1000, 7, 9), holding(1000, 5, 10)));
        ground.held.add(holding(1010, 5, 9));

        SoakResult result = run();

        assertThat(result.changed()).isEmpty();
        assertThat(ground.held).hasSize(1);
    }

    @Test
    void whatIsHeldAndWasNotIsABreach() throws Exception {
        ground.held.addAll(List.of(holding(1000, 5, 9), holding(1051, 6, 10)));

        SoakResult result = run();

        assertThat(result.verdict()).isEqualTo(Verdict.BREACH);
        assertThat(result.changed())
                .containsExactly("VMM: threads console from 5 to 6, descriptors from 9 to 10,"
                        + " live objects from 1000 to 1051 bytes");
        assertThat(new SoakReport(PLAN, result).sentences())
                .contains("VMM: live objects 0.00 to 0.00 MiB (+5.1 %), threads 5 to 6," + " descriptors 9 to 10.");
    }

    @Test
    void aTwentiethOfTheHeapMayComeAndGo() {
        Holding before = holding(1000, 5, 9);

        assertThat(holding(1050, 5, 9).changed(before)).isEmpty();
        assertThat(holding(950, 5, 9).changed(before)).isEmpty();
        assertThat(holding(949, 5, 9).changed(before)).isPresent();
    }

    @Test
    void aSeedGivesTheSameFaultsAgain() throws Exception {
        ground.held.add(holding(1000, 5, 9));
        run();
        Made again = new Made();
        again.held.add(holding(1000, 5, 9));

        new SoakRun(PLAN, again, _ -> {}).run();

        assertThat(again.faults).isEqualTo(ground.faults);
    }
}
