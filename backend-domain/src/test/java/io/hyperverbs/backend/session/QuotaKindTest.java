package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class QuotaKindTest {
    private static final HcaLimits HCA = new HcaLimits(1, 2, 3, 4, 5, 6, 7, 8, 9, 2048);

    @ParameterizedTest
    @CsvSource({
        "QP, qp, 128, 1, true",
        "CQ, cq, 128, 2, true",
        "CQE, cqe, 262144, , false",
        "MR, mr, 512, 3, true",
        "REGISTERED, registered, 0, , false",
        "PD, pd, 64, 4, true",
        "AH, ah, 256, 7, true",
        "SRQ, srq, 64, 1, true",
        "CONTROL_RATE, control-rate, 20000, , false",
        "EVENTS, events, 1024, , false",
        "UAR, uar, 16, 5, true",
        "RING, ring, 0, , true",
        "CM, cm, 256, , true",
        "SA, sa, 64, , true",
        "MW, mw, 512, 3, true",
        "MCAST, mcast, 64, 8, true",
        "GROUP, group, 16, 1024, false",
        "BACKING, backing, 0, , false",
        "PUMP, pump, 0, , false",
        "JOURNAL, journal, 8388608, , false",
    })
    void isNamedAndBoundedSo(QuotaKind kind, String key, long standard, Long deviceLimit, boolean objects) {
        assertThat(kind.key()).isEqualTo(key);
        assertThat(kind.setting()).isEqualTo("quota." + key);
        assertThat(kind.standard()).isEqualTo(standard);
        assertThat(kind.countsObjects()).isEqualTo(objects);
        if (deviceLimit == null) {
            assertThat(kind.deviceLimit(HCA)).isEmpty();
        } else {
            assertThat(kind.deviceLimit(HCA)).hasValue(deviceLimit);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByItsSetting(QuotaKind kind) {
        assertThat(QuotaKind.isQuotaSetting(kind.setting())).isTrue();
        assertThat(QuotaKind.ofSetting(kind.setting())).contains(kind);
    }

    @Test
    void otherSettingsMeanNone() {
        assertThat(QuotaKind.isQuotaSetting("share.weight")).isFalse();
        assertThat(QuotaKind.isQuotaSetting("quota.none")).isTrue();
        assertThat(QuotaKind.ofSetting("quota.none")).isEmpty();
        assertThat(QuotaKind.ofSetting("qp")).isEmpty();
    }
}
