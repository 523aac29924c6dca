package io.hyperverbs.lab.run.calls;

import io.hyperverbs.lab.bench.CallSequence;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.launcher.output.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What commands print of sequences. */
public final class CallTable {
    private CallTable() {}

    /** For people: of the control path a line for each step and size, of all else one for each site too. */
    public static Table table(CallPlan plan, CallResult result) {
        return plan.bench() == CallBench.REG ? steps(plan, result) : sites(plan, result);
    }

    private static String schema(CallPlan plan) {
        return "hv." + plan.bench().word() + "/1";
    }

    private static Table sites(CallPlan plan, CallResult result) {
        // Rates are asked for of connections alone; of the others they are in the JSON.
        boolean hasRate = plan.bench() == CallBench.CONN;
        Table table = new Table(
                        schema(plan),
                        "rows",
                        "VERB",
                        "AT",
                        "P50_US",
                        "P99_US",
                        hasRate ? "PER_S" : "P99/P50",
                        "SPREAD_US",
                        "x NATIVE",
                        "x FLOOR",
                        "STANDING",
                        "ROUNDS")
                .dropFirst("ROUNDS", "SPREAD_US");
        for (CallRow row : result.rows()) {
            table.row(
                    row.step(),
                    row.site().word(),
                    row.times().median(),
                    row.times().percentile(99),
                    hasRate ? row.perSecond() : row.tail(),
                    row.spread(),
                    words(row.overNative()),
                    words(row.overFloor()),
                    row.overFloor() == null ? null : row.overFloor().standing().word(),
                    row.rounds());
        }
        return table;
    }

    private static Table steps(CallPlan plan, CallResult result) {
        Table table = new Table(
                        schema(plan),
                        "rows",
                        "VERB",
                        "BYTES",
                        "NATIVE p50/p99",
                        "BYPASS p50/p99",
                        "GRPC CALL p50/p99",
                        "BYPASS/NATIVE",
                        "x FLOOR",
                        "STANDING",
                        "ROUNDS")
                .dropFirst("ROUNDS", "GRPC CALL p50/p99", "BYPASS/NATIVE");
        for (CallRow row : result.rows()) {
            if (row.site() == CallSite.BYPASS) {
                table.row(
                        row.step(),
                        bytes(row.cell()),
                        times(result, row, CallSite.NATIVE),
                        times(result, row, CallSite.BYPASS),
                        times(result, row, CallSite.CALL),
                        words(row.overNative()),
                        words(row.overFloor()),
                        row.overFloor() == null
                                ? null
                                : row.overFloor().standing().word(),
                        row.rounds());
            }
        }
        return table;
    }

    /** For programs: a line for each step, size and site; times in microseconds. */
    public static Table rows(CallPlan plan, CallResult result, Environment environment) {
        Table table = new Table(
                        schema(plan),
                        "rows",
                        "verb",
                        "bytes",
                        "site",
                        "p50_us",
                        "p99_us",
                        "p99_over_p50",
                        "min_us",
                        "max_us",
                        "spread_us",
                        "per_second",
                        "samples",
                        "rounds",
                        "over_floor",
                        "over_floor_spread",
                        "over_floor_standing",
                        "over_native",
                        "over_native_spread",
                        "over_native_standing")
                .with("commit", environment.commit())
                .with("cores", environment.cores())
                .with("other_cores", rounded(result.otherCores()));
        for (CallRow row : result.rows()) {
            CallRow.Figure floor = row.overFloor();
            CallRow.Figure other = row.overNative();
            table.row(
                    row.step(),
                    bytes(row.cell()),
                    row.site().word(),
                    rounded(row.times().median()),
                    rounded(row.times().percentile(99)),
                    rounded(row.tail()),
                    rounded(row.times().min()),
                    rounded(row.times().max()),
                    rounded(row.spread()),
                    rounded(row.perSecond()),
                    row.times().count(),
                    row.rounds(),
                    floor == null ? null : rounded(floor.value()),
                    floor == null ? null : rounded(floor.spread()),
                    floor == null ? null : floor.standing().word(),
                    other == null ? null : rounded(other.value()),
                    other == null ? null : rounded(other.spread()),
                    other == null ? null : other.standing().word());
        }
        return table;
    }

    /** What the table does not say; the answer is the last one. */
    public static List<String> sentences(CallPlan plan, CallResult result, Environment environment) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "Times in μs: median and 99th percentile over all samples; ratios of medians of the same round, median"
                        + " ± half the quartile distance over the rounds. "
                        + about(plan.bench()));
        if (plan.newGuests() > 0) {
            lines.add("first: the first " + CallPlan.FIRST_VERBS + " registrations and deregistrations of 4096 bytes"
                    + " in each of " + plan.newGuests() + " guests that had done nothing but open the device.");
        }
        if (plan.bench() == CallBench.CONN) {
            lines.add("cycle: all steps of one connection. x16: as many under way at a time, times for each of them."
                    + " PER_S: how many a second, by the mean.");
        }
        lines.add(String.format(
                Locale.ROOT,
                "Environment: %d cores (%s), %s, %s, commit %s; other work used %.1f cores on average.",
                environment.cores(),
                environment.cpu(),
                environment.jdk(),
                environment.kernel(),
                environment.commit(),
                result.otherCores()));
        lines.add(answer(plan, result));
        return lines;
    }

    private static String about(CallBench bench) {
        return switch (bench) {
            case REG ->
                "x FLOOR is bypass over one bare gRPC call; creating or destroying a queue takes more than one.";
            case EVENTS ->
                "From arming the queue to the poll that returns the completion; the program sleeps in between. x FLOOR"
                        + " is over a bare futex wake of a process that sleeps.";
            case CONN ->
                "The peer makes a queue pair for each call and accepts it; connecting ends with ESTABLISHED,"
                        + " disconnecting with the peer's answer. x FLOOR is over one bare gRPC call.";
        };
    }

    /** Of the first step that was measured. */
    private static String answer(CallPlan plan, CallResult result) {
        CallSite guest = plan.bench() == CallBench.EVENTS ? CallSite.POSTED : CallSite.BYPASS;
        CallRow row = result.rows().stream()
                .filter(one -> one.site() == guest)
                .findFirst()
                .orElseThrow();
        CallRow.Figure floor = row.overFloor();
        if (floor == null || !floor.isResult()) {
            return "No ratio to the floor of " + row.step() + " is a result: "
                    + (floor == null ? "no floor" : floor.standing().word()) + ".";
        }
        CallRow.Figure over = row.overNative();
        return String.format(
                Locale.ROOT,
                "A guest's %s%s takes %.1f μs: %.2f ± %.2f times a bare %s%s%s.",
                row.step(),
                row.cell().sequence().hasSizes() ? " of " + row.cell().bytes() + " bytes" : "",
                row.times().median(),
                floor.value(),
                floor.spread(),
                plan.bench().floor().word(),
                over == null ? "" : String.format(Locale.ROOT, ", and %.1f times the same without a VMM", over.value()),
                plan.bench() == CallBench.CONN ? rateWords(result) : firstWords(result, row));
    }

    private static String firstWords(CallResult result, CallRow warm) {
        String name = CallSequence.FIRST.steps().getFirst();
        return result.row(name, new CallCell(CallSequence.FIRST, 0), CallSite.BYPASS)
                .filter(first -> name.endsWith(warm.step()))
                .map(first -> String.format(
                        Locale.ROOT,
                        "; the first ones of a guest take %.1f μs",
                        first.times().median()))
                .orElse("");
    }

    /** Of a guest's connections that are under way together. */
    private static String rateWords(CallResult result) {
        String name = CallSequence.MANY.steps().getLast();
        return result.row(name, new CallCell(CallSequence.MANY, 0), CallSite.BYPASS)
                .map(many -> String.format(
                        Locale.ROOT, "; with %d under way, %.0f a second", CallSequence.UNDER_WAY, many.perSecond()))
                .orElse("");
    }

    private static @Nullable Integer bytes(CallCell cell) {
        return cell.sequence().hasSizes() ? cell.bytes() : null;
    }

    private static @Nullable String times(CallResult result, CallRow of, CallSite site) {
        return result.row(of.step(), of.cell(), site)
                .map(row -> String.format(
                        Locale.ROOT,
                        "%.1f / %.1f ± %.1f",
                        row.times().median(),
                        row.times().percentile(99),
                        row.spread()))
                .orElse(null);
    }

    private static @Nullable String words(CallRow.@Nullable Figure figure) {
        return figure == null ? null : String.format(Locale.ROOT, "%.2f ± %.2f", figure.value(), figure.spread());
    }

    private static double rounded(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }
}
