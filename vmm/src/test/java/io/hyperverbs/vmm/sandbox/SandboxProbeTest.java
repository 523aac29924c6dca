package io.hyperverbs.vmm.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.vmm.posix.Landlock;
import io.hyperverbs.vmm.posix.Seccomp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SandboxProbeTest {
    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

    /** Stands for a sandbox that this computer does not have. */
    private static final class Broken implements Sandbox {
        @Override
        public SandboxTier tier() {
            return SandboxTier.ROOT;
        }

        @Override
        public String description() {
            return "broken";
        }

        @Override
        public String maker() {
            return "broken";
        }

        @Override
        public List<String> command(ConfinedJvm jvm) {
            return List.of("/bin/sh", "-c", "echo no such thing here; exit 9");
        }
    }

    @Test
    void saysWhyASandboxDoesNotWork() {
        SandboxReport report = SandboxProbe.probe(List.of(new Broken()), JAVA_HOME);

        assertThat(report.sandbox()).isNull();
        assertThat(report.tier()).isEqualTo(SandboxTier.NONE);
        assertThat(report.reasons()).containsExactly("tier 2 by broken: exit code 9, no such thing here");
    }

    @Test
    void takesTheNextThatWorks() {
        SandboxReport report = SandboxProbe.probe(List.of(new Broken(), SandboxProbe.none()), JAVA_HOME);

        assertThat(report.tier()).isEqualTo(SandboxTier.NONE);
        assertThat(report.sandbox()).isNotNull();
        assertThat(report.reasons()).hasSize(1);
    }

    /** Where the computer lets its tool make namespaces at all, the whole sandbox must work. */
    @TestFactory
    Stream<DynamicTest> startsAJvmInEachSandboxThatTheComputerAllows() {
        return SandboxProbe.candidates(SandboxProbe.isRoot()).stream()
                .map(sandbox -> DynamicTest.dynamicTest(sandbox.tier() + " " + sandbox.description(), () -> {
                    assumeTrue(allows(sandbox), "not on this computer");

                    assertThat(SandboxProbe.failure(sandbox, JAVA_HOME)).isEmpty();
                }));
    }

    private static boolean allows(Sandbox sandbox) throws Exception {
        if (sandbox.tier() == SandboxTier.FILES) {
            return Landlock.abi() > 0 && Seccomp.AVAILABLE;
        }
        boolean user = sandbox.tier() == SandboxTier.USER;
        List<String> command = new ArrayList<>();
        if (sandbox.description().startsWith("bwrap")) {
            command.addAll(List.of("bwrap", "--ro-bind", "/", "/", "--unshare-pid"));
            command.addAll(List.of("--proc", "/proc"));
            command.addAll(user ? List.of("--unshare-user") : List.of());
        } else {
            command.addAll(List.of("unshare", "--mount", "--pid", "--fork", "--mount-proc"));
            command.addAll(user ? List.of("--user", "--map-root-user") : List.of());
        }
        command.add("true");
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
