package io.hyperverbs.backend.testing;

import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Makes one of the calls that pass by fail, or some at random. */
public final class Faults {
    private int calls;
    private int failingCall = -1;
    private @Nullable Error error;
    private @Nullable Random random;
    private int oneIn;
    private long made;

    /** The {@code n}th call from now on fails, counted from 1. */
    public void failCall(int n) {
        calls = 0;
        failingCall = n;
        error = null;
    }

    /** The {@code n}th call from now on does not return but throws. */
    public void throwAtCall(int n, Error thrown) {
        failCall(n);
        error = thrown;
    }

    /** From now on each call fails with a chance of 1 in {@code oneIn}, some by an error. */
    public void atRandom(Random dice, int oneIn) {
        none();
        this.random = dice;
        this.oneIn = oneIn;
    }

    public void none() {
        failingCall = -1;
        random = null;
    }

    /** Calls that failed at random so far. */
    public long made() {
        return made;
    }

    /** Whether the call that asks is the one to fail. */
    public boolean trip() {
        if (random != null) {
            return tripAtRandom(random);
        }
        boolean fails = ++calls == failingCall;
        if (fails && error != null) {
            throw error;
        }
        return fails;
    }

    private boolean tripAtRandom(Random dice) {
        if (dice.nextInt(oneIn) != 0) {
            return false;
        }
        made++;
        switch (dice.nextInt(8)) {
            case 0 -> throw new OutOfMemoryError("planted");
            case 1 -> throw new InternalError("planted");
            case 2 -> throw new StackOverflowError("planted");
            default -> {
                return true;
            }
        }
    }

    /** Whether the call to fail was reached. */
    public boolean tripped() {
        return failingCall > 0 && calls >= failingCall;
    }
}
