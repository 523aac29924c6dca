package io.hyperverbs.lab.dsm.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LitmusOutcomeTest {
    private static final int X = 0;
    private static final int Y = 1;

    private static LitmusOp store(int variable, int value) {
        return new LitmusOp(variable, value, 0);
    }

    private static LitmusOp load(int variable) {
        return new LitmusOp(variable, 0, 0);
    }

    private static LitmusOutcome outcome(List<List<LitmusOp>> ops, long[]... found) {
        return new LitmusOutcome(new LitmusProgram(ops), found);
    }

    private static LitmusOutcome storeBuffering(long y, long x) {
        return outcome(
                List.of(List.of(store(X, 1), load(Y)), List.of(store(Y, 2), load(X))),
                new long[] {0, y},
                new long[] {0, x});
    }

    @Test
    void atLeastOneOfTwoThatStoreFirstFindsTheOthersStore() {
        assertThat(storeBuffering(0, 0).isSequentiallyConsistent()).isFalse();
        assertThat(storeBuffering(0, 1).isSequentiallyConsistent()).isTrue();
        assertThat(storeBuffering(2, 0).isSequentiallyConsistent()).isTrue();
        assertThat(storeBuffering(2, 1).isSequentiallyConsistent()).isTrue();
        assertThat(storeBuffering(0, 1).isSerial()).isTrue();
        assertThat(storeBuffering(2, 1).isSerial()).isFalse();
    }

    private static LitmusOutcome messagePassing(long y, long x) {
        return outcome(
                List.of(List.of(store(X, 1), store(Y, 2)), List.of(load(Y), load(X))), new long[2], new long[] {y, x});
    }

    @Test
    void whoFindsTheLaterStoreFindsTheEarlierToo() {
        assertThat(messagePassing(2, 0).isSequentiallyConsistent()).isFalse();
        assertThat(messagePassing(2, 1).isSequentiallyConsistent()).isTrue();
        assertThat(messagePassing(0, 1).isSequentiallyConsistent()).isTrue();
        assertThat(messagePassing(0, 3).isSequentiallyConsistent()).isFalse();
    }

    private static LitmusOutcome twoReaders(long[] one, long[] other) {
        return outcome(
                List.of(
                        List.of(store(X, 1)),
                        List.of(store(Y, 2)),
                        List.of(load(X), load(Y)),
                        List.of(load(Y), load(X))),
                new long[1],
                new long[1],
                one,
                other);
    }

    @Test
    void allReadersFindStoresInOneOrder() {
        assertThat(twoReaders(new long[] {1, 0}, new long[] {2, 0}).isSequentiallyConsistent())
                .isFalse();
        assertThat(twoReaders(new long[] {1, 0}, new long[] {2, 1}).isSequentiallyConsistent())
                .isTrue();
    }

    @Test
    void aVariableDoesNotGoBack() {
        LitmusOutcome back = outcome(
                List.of(List.of(store(X, 1), store(X, 2)), List.of(load(X), load(X))), new long[2], new long[] {2, 1});

        assertThat(back.isSequentiallyConsistent()).isFalse();
        assertThat(back).hasToString("node 0: x0 = 1; x0 = 2; node 1: x0 is 2; x0 is 1;");
    }
}
