package io.hyperverbs.backend.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.roce.ManagementDatagram;
import org.junit.jupiter.api.Test;

class SourceBudgetsTest {
    private static final int KNOWN = 1;
    private static final long SECOND_NANOS = 1_000_000_000;

    private final SourceBudgets budgets = new SourceBudgets();

    private int taken(int address, long nowNanos) {
        int taken = 0;
        while (budgets.take(address, nowNanos)) {
            taken++;
        }
        return taken;
    }

    @Test
    void eachAddressHasItsBurstAndItsRate() {
        budgets.know(KNOWN);

        assertThat(taken(KNOWN, 0)).isEqualTo((int) SourceBudgets.BURST);
        assertThat(taken(KNOWN, SECOND_NANOS / 100)).isEqualTo((int) SourceBudgets.PER_SECOND / 100);
    }

    @Test
    void strangersTogetherTakeNothingFromWhoIsKnown() {
        budgets.know(KNOWN);
        int strangers = 0;
        for (int address = 2; address < 2000; address++) {
            strangers += taken(address, 0);
        }

        assertThat(strangers).isEqualTo((int) SourceBudgets.BURST);
        assertThat(taken(KNOWN, 0)).isEqualTo((int) SourceBudgets.BURST);
    }

    @Test
    void whoIsForgottenForAllReasonsIsAStranger() {
        budgets.know(KNOWN);
        budgets.know(KNOWN);
        budgets.forget(KNOWN);
        var _ = taken(2, 0);
        assertThat(budgets.take(KNOWN, 0)).isTrue();
        budgets.forget(KNOWN);

        assertThat(budgets.take(KNOWN, 0)).isFalse();
    }

    @Test
    void aFullOutboxLosesWhatComes() {
        Outbox outbox = new Outbox();
        for (int i = 0; i < Outbox.MAX + 1; i++) {
            outbox.add(i, ManagementDatagram.QPN, new byte[ManagementDatagram.MAD_BYTES]);
        }

        assertThat(outbox.takeAll()).hasSize(Outbox.MAX);
        assertThat(outbox.takeAll()).isEmpty();
    }
}
