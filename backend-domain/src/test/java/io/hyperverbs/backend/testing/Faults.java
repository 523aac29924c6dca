package io.hyperverbs.backend.testing;

/** Makes one of the calls that pass by fail. */
public final class Faults {
    private int calls;
    private int failingCall = -1;

    /** The {@code n}th call from now on fails, counted from 1. */
    public void failCall(int n) {
        calls = 0;
        failingCall = n;
    }

    public void none() {
        failingCall = -1;
    }

    /** Whether the call that asks is the one to fail. */
    public boolean trip() {
        return ++calls == failingCall;
    }

    /** Whether the call to fail was reached. */
    public boolean tripped() {
        return failingCall > 0 && calls >= failingCall;
    }
}
