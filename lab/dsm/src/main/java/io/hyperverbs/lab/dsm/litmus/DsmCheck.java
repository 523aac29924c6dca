package io.hyperverbs.lab.dsm.litmus;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.options.DsmOptions;
import io.hyperverbs.upper.dsm.options.HandlingContext;
import io.hyperverbs.verbs.ProgramExit;
import java.util.Arrays;
import java.util.Locale;

/**
 * Program {@code dsm-check}: random programs on all nodes of a job, whose outcomes must be sequentially consistent.
 * Arguments: how many (1000), a seed (1), a handling context (event).
 */
public final class DsmCheck {
    private static final int PROGRAMS = 1000;
    private static final int MOST_PROGRAMS = 10_000_000;
    private static final int MOST_NODES = 16;
    private static final int USAGE = 2;
    private static final double NANOS_PER_SECOND = 1e9;

    private DsmCheck() {}

    public static void main(String[] args) {
        int programs = args.length > 0 ? (int) number(args[0], 1, MOST_PROGRAMS) : PROGRAMS;
        long seed = args.length > 1 ? number(args[1], 0, Long.MAX_VALUE) : 1;
        HandlingContext context = args.length > 2 ? context(args[2]) : HandlingContext.EVENT;
        long beganNanos = System.nanoTime();
        try (Dsm dsm = Dsm.join(DsmOptions.standard().withHandling(context, true))) {
            if (dsm.nodes() > MOST_NODES) {
                throw usage(dsm.nodes() + " nodes, at most " + MOST_NODES);
            }
            LitmusRun.Result result = new LitmusRun(dsm, seed).run(programs);
            if (dsm.node() == 0) {
                print(result, dsm, seed, (System.nanoTime() - beganNanos) / NANOS_PER_SECOND);
            }
        }
    }

    private static void print(LitmusRun.Result result, Dsm dsm, long seed, double seconds) {
        if (!result.wrong().isEmpty()) {
            System.out.println("dsm-check: not sequentially consistent, seed " + seed + ": " + result.wrong());
            throw new ProgramExit(1);
        }
        System.out.println(String.format(
                Locale.ROOT,
                "dsm-check: %d random programs on %d nodes, %d interleaved, all sequentially consistent, seed %d, %.1f"
                        + " s",
                result.programs(),
                dsm.nodes(),
                result.interleaved(),
                seed,
                seconds));
    }

    private static long number(String text, long least, long most) {
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException _) {
            // As any number that is not allowed.
        }
        throw usage(text + " is no number from " + least + " to " + most);
    }

    private static HandlingContext context(String text) {
        return Arrays.stream(HandlingContext.values())
                .filter(one -> one.name().equalsIgnoreCase(text.replace('-', '_')))
                .findFirst()
                .orElseThrow(() -> usage("no handling context " + text));
    }

    private static ProgramExit usage(String what) {
        System.err.println("dsm-check: " + what);
        System.err.println("usage: dsm-check [PROGRAMS [SEED [polling|event|task-queue|process]]]");
        return new ProgramExit(USAGE);
    }
}
