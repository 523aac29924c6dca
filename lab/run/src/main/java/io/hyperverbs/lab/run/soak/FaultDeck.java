package io.hyperverbs.lab.run.soak;

import io.hyperverbs.lab.attacks.IsolationCase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Faults in the order that a seed gives: of five in a row three are attacks, all of which come
 * before one comes again.
 */
final class FaultDeck {
    /** Each kind of fault is among so many in a row. */
    static final int ROW = 5;

    private final List<IsolationCase> attacks;
    private final Random dice;
    private final List<IsolationCase> left = new ArrayList<>();
    private int drawn;

    FaultDeck(List<IsolationCase> attacks, long seed) {
        this.attacks = attacks;
        this.dice = new Random(seed);
    }

    SoakFault next() {
        return switch (drawn++ % ROW) {
            case 1 -> new SoakFault.Kill();
            case 3 -> new SoakFault.Freeze();
            default -> new SoakFault.Attack(attack());
        };
    }

    private IsolationCase attack() {
        if (left.isEmpty()) {
            left.addAll(attacks);
            Collections.shuffle(left, dice);
        }
        return left.removeLast();
    }
}
