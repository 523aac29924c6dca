package io.hyperverbs.lab.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.VerbPace.Act;
import io.hyperverbs.lab.attacks.VerbPace.Times;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerbPaceTest {
    @Test
    void readsWhatItWrites() {
        VerbPace pace = VerbPace.parse("1 2 3 4 5 6");

        assertThat(pace.of(Act.CREATE_QP)).isEqualTo(new Times(1, 2));
        assertThat(pace.of(Act.WRITE)).isEqualTo(new Times(5, 6));
        assertThat(pace.format()).isEqualTo("1 2 3 4 5 6");
    }

    @Test
    void middleIsTakenOfEachNumber() {
        List<VerbPace> paces = List.of(
                VerbPace.parse("10 900 7 7 1 1"), VerbPace.parse("30 200 7 7 2 2"), VerbPace.parse("20 100 7 7 9 9"));

        assertThat(VerbPace.middle(paces).format()).isEqualTo("20 200 7 7 2 2");
    }

    @Test
    void percentileIsOfTheSlowest() {
        long[] samples = new long[100];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = (long) samples.length - i;
        }

        assertThat(Times.of(samples)).isEqualTo(new Times(51, 99));
    }
}
