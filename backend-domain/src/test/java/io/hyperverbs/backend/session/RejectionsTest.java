package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RejectionsTest {
    private static final long SECOND = 1_000_000_000L;

    private final Rejections rejections = new Rejections();

    @Test
    void countsEachActOnItsOwn() {
        rejections.count(RejectedAct.VERB);
        rejections.count(RejectedAct.VERB);
        rejections.count(RejectedAct.FLOOD);

        assertThat(rejections.of(RejectedAct.VERB)).isEqualTo(2);
        assertThat(rejections.of(RejectedAct.FLOOD)).isEqualTo(1);
        assertThat(rejections.of(RejectedAct.PROTOCOL)).isZero();
    }

    @Test
    void leavesOutWhatIsTooMuchAndSaysHowMany() {
        int recorded = 0;
        for (int i = 0; i < 100_000; i++) {
            recorded += rejections.record(SECOND) >= 0 ? 1 : 0;
        }

        assertThat(recorded).isEqualTo(10);
        assertThat(rejections.record(2 * SECOND)).isEqualTo(100_000 - 10);
        assertThat(rejections.record(2 * SECOND)).isZero();
    }

    @Test
    void isBrokenOnce() {
        assertThat(rejections.isFirstViolation()).isTrue();
        assertThat(rejections.isFirstViolation()).isFalse();
    }
}
