package io.hyperverbs.toolstack.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CardTest {
    private final Card card = Card.standard();

    @Test
    void settingsSayWhetherWhoGuessesKeysHasToPause() {
        assertThat(card.settings()).containsEntry("hca.key-lockout", "on");
        assertThat(card.withoutKeyLockout().settings()).containsEntry("hca.key-lockout", "off");
        assertThat(card.settings()).containsEntry("hca.pkeys", "0xffff,0x8001,0x0001");
    }

    @Test
    void limitsBoundTheQuotasOfTheirNamesAndNoOther() {
        assertThat(card.limitOf("qp")).isEqualTo(card.maxQp());
        assertThat(card.limitOf("cq")).isEqualTo(card.maxCq());
        assertThat(card.limitOf("mr")).isEqualTo(card.maxMr());
        assertThat(card.limitOf("mw")).isEqualTo(card.maxMr());
        assertThat(card.limitOf("pd")).isEqualTo(card.maxPd());
        for (String other : List.of("", "ah", "registered", "QP")) {
            assertThat(card.limitOf(other)).isEqualTo(-1);
        }
    }
}
