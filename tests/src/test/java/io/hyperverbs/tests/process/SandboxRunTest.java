package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hyperverbs.vmm.sandbox.SandboxChoice;
import io.hyperverbs.vmm.sandbox.SandboxProbe;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a new user runs first, in each sandbox that works on this computer. */
class SandboxRunTest {

    static List<SandboxChoice> sandboxes() {
        List<SandboxChoice> working = SandboxProbe.working();
        assumeFalse(working.isEmpty(), "no sandbox works on this computer");
        return working;
    }

    @ParameterizedTest
    @MethodSource("sandboxes")
    void aProgramsLinesAreAllThatIsPrinted(SandboxChoice sandbox) throws Exception {
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome hello = hv.run("run", "--sandbox", sandbox.toString(), "examples/WriteHello.java")
                    .expect(0);

            assertThat(hello.out()).isEqualTo("SUCCESS: hello, remote memory\n");
            assertThat(hello.err()).isEmpty();
        }
    }
}
