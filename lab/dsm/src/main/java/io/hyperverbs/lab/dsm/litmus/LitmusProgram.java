package io.hyperverbs.lab.dsm.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What each node does with a few variables, which are 0 at first. Every store has a value of its own.
 *
 * @param ops of each node, in its order
 */
record LitmusProgram(List<List<LitmusOp>> ops) {
    /** Of one program. */
    static final int VARIABLES = 3;

    /** Of one node. */
    static final int MOST_OPS = 4;

    private static final int MOST_PAUSE = 400;

    static LitmusProgram draw(SplittableRandom random, int nodes) {
        int variables = 1 + random.nextInt(VARIABLES);
        List<List<LitmusOp>> all = new ArrayList<>();
        int stores = 0;
        for (int node = 0; node < nodes; node++) {
            List<LitmusOp> ops = new ArrayList<>();
            int count = random.nextInt(MOST_OPS + 1);
            for (int i = 0; i < count; i++) {
                int stored = random.nextBoolean() ? ++stores : 0;
                int pause = random.nextBoolean() ? 0 : random.nextInt(MOST_PAUSE);
                ops.add(new LitmusOp(random.nextInt(variables), stored, pause));
            }
            all.add(List.copyOf(ops));
        }
        return new LitmusProgram(List.copyOf(all));
    }

    int nodes() {
        return ops.size();
    }
}
