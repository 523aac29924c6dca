package io.hyperverbs.lab.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VictimFactsTest {
    @Test
    void tellsOfAVictimWhatAnAttackerNeeds() {
        VictimFacts facts = new VictimFacts(3, 0xabcdef, 0xabc, 0x42, -5, 0x8000_0001, -1L, 1L << 40);

        assertThat(VictimFacts.parse(facts.format())).isEqualTo(facts);
    }
}
