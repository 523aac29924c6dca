package io.hyperverbs.vmm.hypercall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.memory.FrameKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class WireExtentsTest {
    @Test
    void runsTravel() {
        List<FrameRun> runs = List.of(new FrameRun(7, 2), new FrameRun(1L << 40, 9));

        assertThat(WireExtents.runs(WireExtents.messages(runs))).isEqualTo(runs);
    }

    @Test
    void kindsAreThoseThatAre() {
        for (FrameKind kind : FrameKind.values()) {
            assertThat(WireExtents.kind(kind.code())).isEqualTo(kind);
        }
        assertThatThrownBy(() -> WireExtents.kind(-1)).isInstanceOf(ProtocolViolation.class);
    }
}
