package io.hyperverbs.frontend.executable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.ExecutableMemory;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.posix.Memfd;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnFramesTest {
    private static final long FIRST = 1000;
    private static final long FRAMES = 16;

    private ExecutableMemory memory;

    @BeforeEach
    void makeMemory() throws Exception {
        memory = new ExecutableMemory(FIRST, FRAMES, Memfd.create("hv-test", FRAMES * 4096, false));
    }

    @AfterEach
    void closeMemory() {
        memory.memfd().close();
    }

    @Test
    void framesCountFromTheFirstOfTheMemory() throws Exception {
        List<FrameRun> own = List.of(new FrameRun(0, 1), new FrameRun(15, 1), new FrameRun(0, FRAMES));
        List<FrameRun> machine =
                List.of(new FrameRun(FIRST, 1), new FrameRun(FIRST + 15, 1), new FrameRun(FIRST, FRAMES));

        assertThat(OwnFrames.inMachine(new ControlRequest.RegisterMemory(1, 2, 3, 4, own), memory))
                .isEqualTo(new ControlRequest.RegisterMemory(1, 2, 3, 4, machine));
        assertThat(OwnFrames.inMachine(new ControlRequest.RegisterRing(1, 2, own), memory))
                .isEqualTo(new ControlRequest.RegisterRing(1, 2, machine));
        assertThat(OwnFrames.inMachine(new ControlRequest.ReregisterMemory(1, 2, 3, 4, 5, 6, own), memory))
                .isEqualTo(new ControlRequest.ReregisterMemory(1, 2, 3, 4, 5, 6, machine));
    }

    @ParameterizedTest
    @CsvSource({"16, 1", "15, 2", "0, 17", "1000, 1", "1, 2251799813685246"})
    void framesOfOthersAreFaults(long first, long count) {
        ControlRequest ring = new ControlRequest.RegisterRing(1, 4096, List.of(new FrameRun(first, count)));

        assertThatThrownBy(() -> OwnFrames.inMachine(ring, memory))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EFAULT));
    }

    @Test
    void requestsWithoutFramesStayAsTheyAre() throws Exception {
        ControlRequest query = new ControlRequest.QueryQp(4);

        assertThat(OwnFrames.inMachine(query, memory)).isSameAs(query);
    }
}
