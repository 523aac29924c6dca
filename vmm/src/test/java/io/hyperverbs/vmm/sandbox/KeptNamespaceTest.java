package io.hyperverbs.vmm.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.vmm.posix.NetworkNamespace;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class KeptNamespaceTest {
    private static final Path OWN = Path.of("/proc/thread-self/ns/net");

    @TempDir
    private Path folder;

    private KeptNamespace make() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root makes network namespaces");
        return KeptNamespace.make(folder, SandboxTier.ROOT);
    }

    private static String current() throws IOException {
        return Files.readSymbolicLink(OWN).toString();
    }

    @Test
    void hasTheLoopbackInterfaceAloneAndItIsUp() throws IOException {
        try (KeptNamespace namespace = make()) {
            // By IPv4 addresses: for those of IPv6 the JDK reads the file of the whole process.
            List<NetworkInterface> up = NetworkNamespace.inside(
                    namespace.file(),
                    () -> NetworkInterface.networkInterfaces()
                            .filter(one -> one.inetAddresses().anyMatch(Inet4Address.class::isInstance))
                            .toList());

            assertThat(up).extracting(NetworkInterface::getName).containsExactly("lo");
            assertThat(NetworkNamespace.<Boolean>inside(namespace.file(), up.getFirst()::isUp))
                    .isTrue();
        }
    }

    @Test
    void workInsideLeavesTheCallerWhereItIs() throws IOException {
        try (KeptNamespace namespace = make()) {
            String before = current();

            assertThat(NetworkNamespace.inside(namespace.file(), KeptNamespaceTest::current))
                    .isEqualTo(Files.readSymbolicLink(namespace.file()).toString())
                    .isNotEqualTo(before);
            assertThat(current()).isEqualTo(before);
        }
    }

    @Test
    void theCallerGetsTheFailureOfItsWork() throws IOException {
        try (KeptNamespace namespace = make()) {
            IOException failure = new IOException("of the work");

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> NetworkNamespace.inside(namespace.file(), () -> {
                        throw failure;
                    }))
                    .isSameAs(failure);
            assertThatIllegalStateException()
                    .isThrownBy(() -> NetworkNamespace.inside(namespace.file(), () -> {
                        throw new ArithmeticException("a bug");
                    }))
                    .withRootCauseInstanceOf(ArithmeticException.class);
        }
    }

    @Test
    void noFileAndNoProcessAreLeft() throws Exception {
        ProcessHandle keeper;
        try (KeptNamespace namespace = make()) {
            keeper = ProcessHandle.of(Long.parseLong(namespace.file().getName(1).toString()))
                    .orElseThrow();
            assertThat(keeper.isAlive()).isTrue();
            assertThat(folder).isEmptyDirectory();
        }

        assertThat(keeper.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
    }

    @Test
    void whatIsNoNamespaceIsNotEntered() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatExceptionOfType(PosixException.class)
                .isThrownBy(() -> NetworkNamespace.inside(file, () -> 1))
                .withMessageContaining("setns");
        assertThatExceptionOfType(PosixException.class)
                .isThrownBy(() -> NetworkNamespace.inside(folder.resolve("absent"), () -> 1))
                .withMessageContaining("absent");
    }
}
