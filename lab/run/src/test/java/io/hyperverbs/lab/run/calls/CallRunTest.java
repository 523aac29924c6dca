package io.hyperverbs.lab.run.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hyperverbs.lab.bench.CallSequence;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.Standing;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.progress.QuietProgress;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rounds, figures and table, with times made up. */
class CallRunTest {
    private static final Environment ENVIRONMENT = new Environment(2, "cpu", "1 kB", "Linux", "JDK", "0", "commit");
    private static final CallCell PAGE = new CallCell(CallSequence.MR, 4096);
    private static final CallCell FIRST = new CallCell(CallSequence.FIRST, 0);

    /** Chunks whose times stay the same, until what is new is taken to be warm, and what is not. */
    private static final int NEW_CHUNKS = 26;

    private static final int CHUNKS = 3;

    /** Of a chunk: new ones are enough by their number of calls as well. */
    private static final int CHUNK_TIMES = 400;

    private final List<String> asked = new ArrayList<>();
    private double other;

    private static CallPlan plan(int rounds, CallSequence... sequences) {
        return CallPlan.quick(CallBench.REG).with(List.of(sequences), List.of(4096), rounds, 10);
    }

    /** A call takes 10 us, a registration 5, 40 and 60 from a guest, its end half of that; a later round is slower. */
    private long[] made(CallSite site, CallCell cell, int round, CallTerms terms) {
        asked.add(site.word() + " " + cell.words() + " " + round + " " + terms.iterations());
        long nanos = (round + 1)
                * 1_000L
                * switch (site) {
                    case NATIVE -> 5;
                    case BYPASS -> cell.sequence() == CallSequence.FIRST ? 60 : 40;
                    case POSTED -> 30;
                    case FORWARDED -> 90;
                    case CALL -> 10;
                    case FUTEX -> 15;
                    case EVENTFD -> 12;
                };
        int steps = site.isOfMachine() ? cell.sequence().steps().size() : 1;
        int times = terms.warmUp() == 0 ? CHUNK_TIMES : 2;
        long[] samples = new long[times * steps];
        for (int i = 0; i < samples.length; i++) {
            // The middle step of three takes half as long, as the last of two does.
            samples[i] = i % steps == 1 ? nanos / 2 : nanos;
        }
        return samples;
    }

    private CallResult run(CallPlan plan) throws Exception {
        return CallResult.of(plan, new CallRun(plan, this::made, _ -> 50, () -> other, new QuietProgress()).run());
    }

    @Test
    void sitesTakeTurns() throws Exception {
        CallResult result = run(plan(2, CallSequence.MR));

        // Warmed up as new code at each site.
        assertThat(asked.subList(3 * NEW_CHUNKS, asked.size()))
                .containsExactly(
                        "native mr 4096 B 0 10",
                        "bypass mr 4096 B 0 10",
                        "grpc call mr 4096 B 0 10",
                        "bypass mr 4096 B 1 10",
                        "grpc call mr 4096 B 1 10",
                        "native mr 4096 B 1 10");
        assertThat(result.rows()).hasSize(2 * 3);
    }

    @Test
    void onlyWhatHasNotRunIsWarmedUpAsNewCode() throws Exception {
        CallPlan plan = CallPlan.quick(CallBench.REG)
                .with(List.of(CallSequence.MR, CallSequence.PD), List.of(4096, 65536), 1, 10);
        run(plan);

        assertThat(asked).filteredOn("bypass mr 4096 B 0 20000"::equals).hasSize(NEW_CHUNKS);
        assertThat(asked).filteredOn("bypass mr 65536 B 0 20000"::equals).hasSize(CHUNKS);
        assertThat(asked).filteredOn("bypass pd 0 20000"::equals).hasSize(NEW_CHUNKS);
        assertThat(asked).filteredOn("grpc call mr 4096 B 0 20000"::equals).hasSize(NEW_CHUNKS);
        assertThat(asked).filteredOn("grpc call pd 0 20000"::equals).hasSize(CHUNKS);
    }

    @Test
    void eachStepHasItsRatios() throws Exception {
        CallResult result = run(plan(3, CallSequence.MR));

        CallRow made = result.row("reg_mr", PAGE, CallSite.BYPASS).orElseThrow();
        CallRow ended = result.row("dereg_mr", PAGE, CallSite.BYPASS).orElseThrow();
        assertThat(made.times().median()).isEqualTo(80);
        assertThat(made.times().count()).isEqualTo(6);
        assertThat(ended.times().median()).isEqualTo(40);
        // Rounds differ by a factor of three, the ratios within them not at all.
        assertThat(made.overFloor()).isEqualTo(new CallRow.Figure(4, 0, Standing.RESULT));
        assertThat(made.overNative()).isEqualTo(new CallRow.Figure(8, 0, Standing.RESULT));
        assertThat(ended.overFloor()).isEqualTo(new CallRow.Figure(2, 0, Standing.RESULT));
        CallRow floor = result.row("dereg_mr", PAGE, CallSite.CALL).orElseThrow();
        assertThat(floor.overFloor()).isNull();
        assertThat(floor.overNative()).isNull();
    }

    @Test
    void firstVerbsAreThoseOfANewGuestInEachRound() throws Exception {
        CallResult result = run(plan(7, CallSequence.MR, CallSequence.FIRST));

        assertThat(asked)
                .filteredOn(line -> line.startsWith("bypass first"))
                .containsExactly(
                        "bypass first 0 50",
                        "bypass first 1 50",
                        "bypass first 2 50",
                        "bypass first 3 50",
                        "bypass first 4 50");
        CallRow first = result.row("first reg_mr", FIRST, CallSite.BYPASS).orElseThrow();
        assertThat(first.overFloor()).isEqualTo(new CallRow.Figure(6, 0, Standing.RESULT));
        assertThat(first.overNative()).isNull();
        assertThat(result.row("first reg_mr", FIRST, CallSite.NATIVE)).isEmpty();
    }

    @Test
    void theTableHasALineForEachStepAndTheLastSentenceTheAnswer() throws Exception {
        CallPlan plan = plan(3, CallSequence.MR, CallSequence.FIRST);
        CallResult result = run(plan);

        String table = CallTable.table(plan, result).render(Format.TABLE);
        assertThat(table.lines()).hasSize(1 + 4);
        assertThat(table).contains("80.0 / 120.0 ± 40.0", "4.00 ± 0.00", "8.00 ± 0.00", "first dereg_mr");
        assertThat(CallTable.sentences(plan, result, ENVIRONMENT))
                .last()
                .isEqualTo("A guest's reg_mr of 4096 bytes takes 80.0 μs: 4.00 ± 0.00 times a bare grpc call, and 8.0"
                        + " times the same without a VMM; the first ones of a guest take 120.0 μs.");
        assertThat(CallTable.rows(plan, result, ENVIRONMENT).render(Format.CSV).lines())
                .hasSize(1 + 2 * 3 + 2 * 2)
                .contains("reg_mr,4096,bypass,80.0,120.0,1.5,40.0,120.0,40.0,12500.0,6,3,4.0,0.0,result,8.0,0.0,result")
                .contains("first reg_mr,,grpc call,20.0,30.0,1.5,10.0,30.0,10.0,50000.0,6,3,,,,,,");
    }

    @Test
    void eventsAreComparedWithAWakeAndWithNative() throws Exception {
        CallPlan plan =
                CallPlan.quick(CallBench.EVENTS).with(List.of(CallSequence.WRITE, CallSequence.SEND), List.of(), 3, 10);
        CallResult result = run(plan);

        CallCell write = new CallCell(CallSequence.WRITE, 0);
        CallRow posted = result.row("write", write, CallSite.POSTED).orElseThrow();
        CallRow forwarded = result.row("write", write, CallSite.FORWARDED).orElseThrow();
        assertThat(posted.overFloor()).isEqualTo(new CallRow.Figure(2, 0, Standing.RESULT));
        assertThat(posted.overNative()).isEqualTo(new CallRow.Figure(6, 0, Standing.RESULT));
        assertThat(forwarded.overFloor()).isEqualTo(new CallRow.Figure(6, 0, Standing.RESULT));
        assertThat(posted.tail()).isEqualTo(1.5);
        assertThat(CallTable.table(plan, result).render(Format.TABLE).lines()).hasSize(1 + 2 * 5);
        assertThat(CallTable.sentences(plan, result, ENVIRONMENT))
                .last()
                .isEqualTo("A guest's write takes 60.0 μs: 2.00 ± 0.00 times a bare futex wake, and 6.0 times the same"
                        + " without a VMM.");
    }

    @Test
    void connectionsHaveARate() throws Exception {
        CallPlan plan =
                CallPlan.quick(CallBench.CONN).with(List.of(CallSequence.CYCLE, CallSequence.MANY), List.of(), 3, 10);
        CallResult result = run(plan);

        CallRow cycle = result.row("cycle", new CallCell(CallSequence.CYCLE, 0), CallSite.FORWARDED)
                .orElseThrow();
        assertThat(cycle.overFloor()).isEqualTo(new CallRow.Figure(9, 0, Standing.RESULT));
        assertThat(cycle.overNative()).isEqualTo(new CallRow.Figure(18, 0, Standing.RESULT));
        // 90, 180 and 270 us.
        assertThat(cycle.perSecond()).isCloseTo(1e6 / 180, within(1e-6));
        assertThat(CallTable.table(plan, result).render(Format.TABLE).lines()).hasSize(1 + 4 * 4);
        assertThat(asked).contains("bypass cycle 0 10", "bypass many 0 1", "grpc call many 0 10");
        assertThat(CallTable.sentences(plan, result, ENVIRONMENT))
                .last()
                .isEqualTo("A guest's cycle takes 80.0 μs: 4.00 ± 0.00 times a bare grpc call, and 8.0 times the same"
                        + " without a VMM; with 16 under way, 12500 a second.");
    }

    @Test
    void connectionsTakeADomainAndAPeerAtEachSite() {
        Topology topology = MachineCalls.topology(CallPlan.quick(CallBench.CONN), "conn");

        assertThat(topology.guests())
                .extracting(Guest::name)
                .containsExactly("na", "na-peer", "a", "a-peer", "f", "f-peer");
        assertThat(topology.guests())
                .extracting(Guest::path)
                .containsExactly("bypass", "bypass", "bypass", "bypass", "forwarded", "forwarded");
    }

    @Test
    void besideOtherWorkNothingIsAResult() throws Exception {
        other = 1;
        CallPlan plan = plan(5, CallSequence.PD);
        CallResult result = run(plan);

        assertThat(result.rows())
                .filteredOn(row -> row.overFloor() != null)
                .allMatch(row -> row.overFloor().standing() == Standing.DISTURBED);
        assertThat(CallTable.sentences(plan, result, ENVIRONMENT))
                .last()
                .isEqualTo("No ratio to the floor of alloc_pd is a result: disturbed.");
    }
}
