package io.hyperverbs.vmm.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.vmm.posix.TunDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Interfaces in namespaces of root and of ordinary users; root may have the latter too. */
@Timeout(120)
class DomainInterfaceTest {
    private static final String NAME = "test0";
    private static final int ADDRESS = 0x0a01_0001;

    @TempDir
    Path folder;

    @BeforeEach
    void needsDevices() {
        assumeTrue(TunDevice.isHere(), "no TUN devices that this user can make: " + TunDevice.FILE);
    }

    private KeptNamespace keep(SandboxTier tier) throws IOException {
        assumeTrue(
                SandboxProbe.working().stream().anyMatch(one -> one.tier() == tier),
                "no sandbox of tier " + tier.label() + " works here");
        return KeptNamespace.make(folder, tier);
    }

    private static String interfaces(KeptNamespace namespace) throws IOException {
        return Files.readString(namespace.lists().resolve("dev"));
    }

    @ParameterizedTest
    @EnumSource(names = {"ROOT", "USER"})
    void anInterfaceIsInItsNamespaceUntilItsDescriptorIsClosed(SandboxTier tier) throws Exception {
        try (KeptNamespace namespace = keep(tier)) {
            DomainInterface.Made made = DomainInterface.make(
                    namespace, folder, new TunDevice.Settings(NAME, ADDRESS, 24, 2000, tier == SandboxTier.USER));

            assertThat(interfaces(namespace)).contains(NAME + ":");
            assertThat(Files.readString(Path.of("/proc/net/dev"))).doesNotContain(NAME + ":");
            assertThat(Files.readString(namespace.lists().resolve("route"))).contains(NAME + "\t0000010A");
            assertThat(folder).isEmptyDirectory();
            made.device().close();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !interfaces(namespace).contains(NAME + ":"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ROOT", "USER"})
    void whatTheKernelRefusesIsSaid(SandboxTier tier) throws Exception {
        try (KeptNamespace namespace = keep(tier)) {
            TunDevice.Settings tooShort = new TunDevice.Settings(NAME, ADDRESS, 24, 10, false);

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> DomainInterface.make(namespace, folder, tooShort))
                    .withMessageContaining("SIOCSIFMTU");

            assertThat(interfaces(namespace)).doesNotContain(NAME + ":");
            assertThat(folder).isEmptyDirectory();
        }
    }
}
