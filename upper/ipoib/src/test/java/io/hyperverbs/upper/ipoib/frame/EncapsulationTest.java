package io.hyperverbs.upper.ipoib.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class EncapsulationTest {
    @Test
    void isTypeAndReservedZero() {
        byte[] bytes = {1, 2, 3, 4, 5, 6};
        Encapsulation.write(MemorySegment.ofArray(bytes), 1, Encapsulation.IPV6);

        assertThat(bytes).containsExactly(1, 0x86, 0xdd, 0, 0, 6);
        assertThat(Encapsulation.type(MemorySegment.ofArray(bytes), 1)).isEqualTo(Encapsulation.IPV6);
    }

    @Test
    void ignoresReservedBytes() {
        assertThat(Encapsulation.type(MemorySegment.ofArray(new byte[] {8, 6, 7, 7}), 0))
                .isEqualTo(Encapsulation.ARP);
    }
}
