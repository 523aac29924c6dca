package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class VerbCostTest {
    private static ControlRequest register(int runs) {
        return new ControlRequest.RegisterMemory(1, 0, 4096, 1, Collections.nCopies(runs, new FrameRun(16, 1)));
    }

    @Test
    void aBufferOfADriverCostsOne() {
        assertThat(VerbCost.of(register(1))).isEqualTo(1);
        assertThat(VerbCost.of(new ControlRequest.QueryPort(1, 1))).isEqualTo(1);
        assertThat(VerbCost.of(new ControlRequest.OpenContext(DataPathKind.BYPASS)))
                .isEqualTo(1);
    }

    @Test
    void growsWithRunsAndEntries() {
        assertThat(VerbCost.of(register(1024))).isEqualTo(513);
        assertThat(VerbCost.of(new ControlRequest.CreateCq(1, 65_536, 2, false)))
                .isEqualTo(65);
        assertThat(VerbCost.of(new ControlRequest.OpenContext(DataPathKind.FORWARDED)))
                .isEqualTo(16);
    }

    @Test
    void ofSizesThatWillBeRefusedIsThatOfAVerb() {
        int least = Integer.MIN_VALUE;
        assertThat(VerbCost.of(new ControlRequest.CreateCq(1, least, 2, false))).isEqualTo(1);
        assertThat(VerbCost.of(new ControlRequest.ResizeSrq(1, least, 2))).isEqualTo(1);
    }

    @Test
    void ofSizesBeyondAnyQueueIsThatOfTheLargest() {
        int most = Integer.MAX_VALUE;
        assertThat(VerbCost.of(new ControlRequest.CreateCq(1, most, 2, false))).isEqualTo(65);
        assertThat(VerbCost.of(new ControlRequest.ResizeSrq(1, most, 2))).isEqualTo(65);
    }
}
