package io.hyperverbs.lab.dsm.litmus;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Whether what the loads of a program found can be, if all loads and stores happened one after another. */
final class LitmusOutcome {
    private final LitmusProgram program;

    /** By node and operation; of a store, anything. */
    private final long[][] found;

    /** Where a search has been: how far each node is, then the variables. */
    private final Set<List<Long>> seen = new HashSet<>();

    LitmusOutcome(LitmusProgram program, long[][] found) {
        this.program = program;
        this.found = found;
    }

    /** Whether there is an order of all operations, that of each node kept, in which the loads find this. */
    boolean isSequentiallyConsistent() {
        seen.clear();
        return search(new int[program.nodes()], new long[LitmusProgram.VARIABLES]);
    }

    /** Whether the nodes may as well have run one after another, each as a whole. */
    boolean isSerial() {
        return searchWhole(0, new long[LitmusProgram.VARIABLES]);
    }

    private boolean search(int[] done, long[] variables) {
        boolean isEnd = true;
        for (int node = 0; node < done.length; node++) {
            List<LitmusOp> ops = program.ops().get(node);
            if (done[node] == ops.size()) {
                continue;
            }
            isEnd = false;
            LitmusOp op = ops.get(done[node]);
            if (!op.isStore() && variables[op.variable()] != found[node][done[node]]) {
                continue;
            }
            int[] after = done.clone();
            after[node]++;
            long[] then = variables.clone();
            if (op.isStore()) {
                then[op.variable()] = op.stored();
            }
            if (seen.add(place(after, then)) && search(after, then)) {
                return true;
            }
        }
        return isEnd;
    }

    private static List<Long> place(int[] done, long[] variables) {
        Long[] place = new Long[done.length + variables.length];
        for (int i = 0; i < done.length; i++) {
            place[i] = (long) done[i];
        }
        for (int i = 0; i < variables.length; i++) {
            place[done.length + i] = variables[i];
        }
        return Arrays.asList(place);
    }

    private boolean searchWhole(int ran, long[] variables) {
        if (ran == (1 << program.nodes()) - 1) {
            return true;
        }
        for (int node = 0; node < program.nodes(); node++) {
            long[] then = variables.clone();
            if ((ran & 1 << node) == 0 && run(node, then) && searchWhole(ran | 1 << node, then)) {
                return true;
            }
        }
        return false;
    }

    private boolean run(int node, long[] variables) {
        List<LitmusOp> ops = program.ops().get(node);
        for (int i = 0; i < ops.size(); i++) {
            LitmusOp op = ops.get(i);
            if (op.isStore()) {
                variables[op.variable()] = op.stored();
            } else if (variables[op.variable()] != found[node][i]) {
                return false;
            }
        }
        return true;
    }

    /** The program and what was found, for a message. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int node = 0; node < program.nodes(); node++) {
            text.append("node ").append(node).append(':');
            List<LitmusOp> ops = program.ops().get(node);
            for (int i = 0; i < ops.size(); i++) {
                LitmusOp op = ops.get(i);
                text.append(" x").append(op.variable()).append(op.isStore() ? " = " : " is ");
                text.append(op.isStore() ? op.stored() : found[node][i]).append(';');
            }
            text.append(' ');
        }
        return text.toString().strip();
    }
}
