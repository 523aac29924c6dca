package io.hyperverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StaticRateTest {
    @ParameterizedTest
    @CsvSource({
        "2, 2500",
        "3, 10000",
        "4, 30000",
        "5, 5000",
        "6, 20000",
        "7, 40000",
        "8, 60000",
        "9, 80000",
        "10, 120000",
        "11, 14000",
        "12, 56000",
        "13, 112000",
        "14, 168000",
        "15, 25000",
        "16, 100000",
        "17, 200000",
        "18, 300000",
        "19, 28000",
        "20, 50000",
        "21, 400000",
        "22, 600000",
        "23, 800000",
        "24, 1200000"
    })
    void hasTheCodesOfIbvRate(int code, int megabits) {
        assertThat(StaticRate.megabitsPerSecond(code)).isEqualTo(megabits);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 25, 255, 256, Integer.MAX_VALUE})
    void meansThePortsOwnByAnyOtherCode(int code) {
        assertThat(StaticRate.megabitsPerSecond(code)).isZero();
    }

    @Test
    void isPartOfTheAddressVector() {
        QpAttributes path = QpAttributes.none().withStaticRate(2);

        assertThat(path.get(QpAttribute.AV)).isZero();
        assertThat(path.with(QpAttribute.AV, 5).staticRate()).isEqualTo(2);
        assertThat(path.withRoute(GlobalRoute.to(Gid.ofIpv4(1))).staticRate()).isEqualTo(2);
        assertThat(path.without(QpAttribute.AV)).isEqualTo(QpAttributes.none());
        assertThat(path).isNotEqualTo(path.withStaticRate(3)).hasToString("{AV=0} static rate 2");
    }
}
