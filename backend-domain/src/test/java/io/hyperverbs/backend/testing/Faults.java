package io.hyperverbs.backend.testing;

/** Makes one of the calls that pass by fail. */
public final class Faults {
    private int calls;
    private int failingCall = -1;
    private Error error;

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

    public void none() {
        failingCall = -1;
    }

    /** Whether the call that asks is the one to fail. */
    public boolean trip() {
        boolean fails = ++calls == failingCall;
        if (fails && error != null) {
            throw error;
        }
        return fails;
    }

    /** Whether the call to fail was reached. */
    public boolean tripped() {
        return failingCall > 0 && calls >= failingCall;
    }
}
