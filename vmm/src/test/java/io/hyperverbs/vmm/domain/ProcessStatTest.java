package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorChargeTest {
    @Test
    void readsTimeBehindANameThatLooksLikeFields() {
        String stat = "17 (a) R 1 2) S 1 2 3 4 5 6 7 8 9 10 250 31 0 0 20 0 4 0 100";

        assertThat(ProcessorCharge.ticks(stat)).isEqualTo(281);
    }
}
