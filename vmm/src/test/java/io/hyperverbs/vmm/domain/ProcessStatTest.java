package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessStatTest {
    @Test
    void readsTimeBehindANameThatLooksLikeFields() {
        String stat = "17 (a) R 1 2) S 1 2 3 4 5 6 7 8 9 10 250 31 0 0 20 0 4 0 100";

        assertThat(new ProcessStat(stat).ticks()).isEqualTo(281);
    }

    @Test
    void tellsAProcessThatHasEndedByItsState() {
        String fields = " 1 2 3 4 5 6 7 8 9 10 250 31 0 0 20 0 ";
        assertThat(new ProcessStat("17 (S) Z) Z" + fields + "1 0").isZombie()).isTrue();
        assertThat(new ProcessStat("17 (S) Z) Z" + fields + "2 0").isZombie())
                .as("others run")
                .isFalse();
        assertThat(new ProcessStat("17 (a) Z) S" + fields + "1 0").isZombie()).isFalse();
    }

    @Test
    void knowsItsAge() {
        String stat = "17 (a) R 1 2) S 1 2 3 4 5 6 7 8 9 10 250 31 0 0 20 0 4 0 100 0 0";

        assertThat(new ProcessStat(stat).ageMillis("2.53 4.01\n")).isEqualTo(1530);
    }
}
