package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.hca.HcaCommands.ShareInit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareSettingsTest {
    @Test
    void withoutSettingsWeightOneAndNoLimit() throws Refusal {
        assertThat(ShareSettings.of(Map.of())).isEqualTo(ShareInit.STANDARD);
    }

    @Test
    void takesWeightAndRate() throws Refusal {
        Map<String, String> settings = Map.of("weight", "3", "rate.bytes", "1048576", "rate.messages", "50000");

        assertThat(ShareSettings.of(settings)).isEqualTo(new ShareInit(3, 1 << 20, 50_000));
    }

    @ParameterizedTest
    @CsvSource({
        "weight, 0",
        "weight, 2147483648",
        "weight, x",
        "rate.bytes, 0",
        "rate.bytes, -1",
        "rate.messages, 1.5",
    })
    void refusesAnythingElse(String name, String value) {
        assertThatThrownBy(() -> ShareSettings.of(Map.of(name, value)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(name + " " + value + ", must be 1 or more");
    }
}
