package io.hyperverbs.launcher.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HcaSpecTest {
    private final HcaSpec hca = HcaSpec.standard();

    @Test
    void settingsSayWhetherWhoGuessesKeysHasToPause() {
        assertThat(hca.settings()).containsEntry("hca.key-lockout", "on");
        assertThat(hca.withoutKeyLockout().settings()).containsEntry("hca.key-lockout", "off");
        assertThat(hca.settings()).containsEntry("hca.pkeys", "0xffff,0x8001,0x0001");
    }

    @Test
    void limitsBoundTheQuotasOfTheirNamesAndNoOther() {
        assertThat(hca.limitOf("qp")).isEqualTo(hca.limits().maxQp());
        assertThat(hca.limitOf("cq")).isEqualTo(hca.limits().maxCq());
        assertThat(hca.limitOf("mr")).isEqualTo(hca.limits().maxMr());
        assertThat(hca.limitOf("mw")).isEqualTo(hca.limits().maxMr());
        assertThat(hca.limitOf("pd")).isEqualTo(hca.limits().maxPd());
        for (String other : List.of("", "ah", "registered", "QP")) {
            assertThat(hca.limitOf(other)).isEqualTo(-1);
        }
    }
}
