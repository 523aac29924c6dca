package io.hyperverbs.lab.dsm.litmus;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedLongs;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs random programs on all nodes and checks their outcomes. Many programs run between two barriers, so that nodes
 * drift apart; variables of different programs lie in one minipage sometimes, so that minipages go to and fro. All nodes
 * draw the same programs.
 */
public final class LitmusRun {
    private static final int BATCH = 64;
    private static final int NODE_RESULTS = BATCH * LitmusProgram.MOST_OPS;
    private static final int[] PER_MINIPAGE = {1, 8, 64};

    private final Dsm dsm;
    private final List<SharedLongs> variables = new ArrayList<>();
    private final SharedLongs results;
    private final SplittableRandom random;
    private long serial;

    /**
     * What came out.
     *
     * @param programs that ran
     * @param interleaved of them, whose outcome no order of whole nodes has
     * @param wrong a program whose outcome is not sequentially consistent, and that outcome; empty if there was none
     */
    public record Result(int programs, long interleaved, String wrong) {}

    /** Collective. */
    public LitmusRun(Dsm dsm, long seed) {
        this.dsm = dsm;
        this.random = new SplittableRandom(seed);
        for (int perMinipage : PER_MINIPAGE) {
            variables.add(dsm.longs(BATCH * LitmusProgram.VARIABLES, perMinipage));
        }
        this.results = dsm.longs(dsm.nodes() * NODE_RESULTS, NODE_RESULTS);
    }

    /** Runs them; the result is right at node 0. Collective. */
    public Result run(int programs) {
        int ran = 0;
        serial = 0;
        String wrong = "";
        while (ran < programs) {
            List<LitmusProgram> batch = new ArrayList<>();
            for (int i = 0; i < Math.min(BATCH, programs - ran); i++) {
                batch.add(LitmusProgram.draw(random, dsm.nodes()));
            }
            SharedLongs some = variables.get(random.nextInt(variables.size()));
            clear(some);
            results.set(dsm.node() * NODE_RESULTS, runOwn(batch, some), 0, NODE_RESULTS);
            dsm.barrier();
            ran += batch.size();
            // The others clear variables meanwhile; no result is touched before the barrier after that.
            if (dsm.node() == 0 && wrong.isEmpty()) {
                wrong = check(batch);
            }
        }
        dsm.barrier();
        return new Result(ran, ran - serial, wrong);
    }

    /** Each node clears some of the variables, so that they begin at different nodes. */
    private void clear(SharedLongs some) {
        for (int i = 0; i < some.length(); i++) {
            if (random.nextInt(dsm.nodes()) == dsm.node()) {
                some.set(i, 0);
            }
        }
        dsm.barrier();
    }

    private long[] runOwn(List<LitmusProgram> batch, SharedLongs some) {
        long[] found = new long[NODE_RESULTS];
        for (int i = 0; i < batch.size(); i++) {
            List<LitmusOp> ops = batch.get(i).ops().get(dsm.node());
            for (int op = 0; op < ops.size(); op++) {
                found[i * LitmusProgram.MOST_OPS + op] = perform(ops.get(op), some, i * LitmusProgram.VARIABLES);
            }
        }
        return found;
    }

    private static long perform(LitmusOp op, SharedLongs some, int first) {
        for (int i = 0; i < op.pause(); i++) {
            Thread.onSpinWait();
        }
        if (op.isStore()) {
            some.set(first + op.variable(), op.stored());
            return 0;
        }
        return some.get(first + op.variable());
    }

    private String check(List<LitmusProgram> batch) {
        long[] all = new long[results.length()];
        results.get(0, all, 0, all.length);
        for (int i = 0; i < batch.size(); i++) {
            LitmusProgram program = batch.get(i);
            long[][] found = new long[dsm.nodes()][LitmusProgram.MOST_OPS];
            for (int node = 0; node < dsm.nodes(); node++) {
                int from = node * NODE_RESULTS + i * LitmusProgram.MOST_OPS;
                System.arraycopy(all, from, found[node], 0, LitmusProgram.MOST_OPS);
            }
            LitmusOutcome outcome = new LitmusOutcome(program, found);
            if (outcome.isSerial()) {
                serial++;
            } else if (!outcome.isSequentiallyConsistent()) {
                return outcome.toString();
            }
        }
        return "";
    }
}
