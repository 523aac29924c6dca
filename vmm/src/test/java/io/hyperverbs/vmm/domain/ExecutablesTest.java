package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ExecutablesTest {
    @Test
    void settingsSayTheRoom() {
        assertThat(Executables.of(
                        Map.of(Executables.COUNT_SETTING, "3", Executables.MEMORY_SETTING, "65536", "weight", "1")))
                .isEqualTo(new Executables(3, 65536));
        assertThat(Executables.of(Map.of("weight", "1"))).isEqualTo(Executables.NONE);
    }
}
