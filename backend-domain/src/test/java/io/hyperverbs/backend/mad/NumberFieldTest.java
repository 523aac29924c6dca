package io.hyperverbs.backend.mad;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.PrivateData;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Every width at every place. */
class NumberFieldTest {
    private static final long SEED = 1;

    @Test
    void writesItsBitsAndNothingBeside() {
        Random random = new Random(SEED);
        byte[] mad = new byte[10];
        for (int bit = 0; bit < 8; bit++) {
            for (int width = 1; width + bit <= 64; width++) {
                NumberField field = NumberField.bits(1, bit, width);
                long number = random.nextLong();
                long mask = width == 64 ? -1 : (1L << width) - 1;
                for (byte around : new byte[] {0, -1}) {
                    Arrays.fill(mad, around);

                    field.set(mad, number);

                    String what = width + " bits behind " + bit + ", seed " + SEED;
                    assertThat(field.get(mad)).as(what).isEqualTo(number & mask);
                    for (int i = 0; i < 80; i++) {
                        if (i < 8 + bit || i >= 8 + bit + width) {
                            assertThat(mad[i / 8] >> (7 - i % 8) & 1)
                                    .as("bit %d of %s", i, what)
                                    .isEqualTo(around & 1);
                        }
                    }
                }
            }
        }
    }

    @Test
    void isBigEndian() {
        byte[] mad = new byte[4];

        NumberField.at(1, 24).set(mad, 0x0fabcdef);

        assertThat(mad).containsExactly(0, 0xab, 0xcd, 0xef);
        assertThat(NumberField.at(1, 24).getInt(mad)).isEqualTo(0xabcdef);
    }

    @Test
    void dataFillsItsField() {
        byte[] mad = {1, 1, 1, 1, 1, 1};
        DataField field = DataField.at(1, 4);

        field.set(mad, PrivateData.of((byte) 7, (byte) 8));
        assertThat(mad).containsExactly(1, 7, 8, 0, 0, 1);
        assertThat(field.get(mad).bytes()).containsExactly(7, 8, 0, 0);

        field.set(mad, 1, PrivateData.of((byte) 5));
        assertThat(mad).containsExactly(1, 7, 5, 0, 0, 1);
        assertThat(field.get(mad, 1).bytes()).containsExactly(5, 0, 0);

        field.set(mad, PrivateData.of(new byte[9]));
        assertThat(mad).containsExactly(1, 0, 0, 0, 0, 1);
        assertThat(field.length()).isEqualTo(4);
    }
}
