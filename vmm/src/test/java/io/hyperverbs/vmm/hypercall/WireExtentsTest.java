package io.hyperverbs.vmm.hypercall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.memory.FrameKind;
import org.junit.jupiter.api.Test;

class WireExtentsTest {
    @Test
    void kindsAreThoseThatAre() {
        for (FrameKind kind : FrameKind.values()) {
            assertThat(WireExtents.kind(kind.code())).isEqualTo(kind);
        }
        assertThatThrownBy(() -> WireExtents.kind(-1)).isInstanceOf(ProtocolViolation.class);
    }
}
