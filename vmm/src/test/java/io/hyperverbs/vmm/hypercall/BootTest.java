package io.hyperverbs.vmm.hypercall;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BootTest {
    /** RFC 4391 §7: an IP packet has what a datagram of the port carries, less the encapsulation header. */
    @ParameterizedTest
    @CsvSource({"256, 252", "512, 508", "1024, 1020", "2048, 2044", "4096, 4092"})
    void anIpPacketIsShorterThanADatagramByTheEncapsulation(String datagram, int packet) {
        assertThat(Boot.ipMtuBytes(Map.of(Boot.MTU_SETTING, datagram))).isEqualTo(packet);
    }

    @Test
    void anHcaWithoutSettingsHasTheStandardMtu() {
        assertThat(Boot.ipMtuBytes(Map.of())).isEqualTo(2044);
    }
}
