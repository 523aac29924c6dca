package io.hyperverbs.launcher.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.node.wire.Bundle;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeOrderTest {
    private static final Bundle BUNDLE =
            Bundle.newBuilder().setHost("n1").setKey("secret").build();

    @TempDir
    Path folder;

    private Path file(String permissions, byte... content) throws IOException {
        Path file = Files.write(folder.resolve("bundle"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static byte[] delimited() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BUNDLE.writeDelimitedTo(bytes);
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"r--------", "rw-------", "r--r-----"})
    void aFileIsAnOrderThatNobodyReleases(String permissions) throws Exception {
        NodeOrder order = NodeOrder.from(file(permissions, delimited()), 4790);

        assertThat(order.bundle()).isEqualTo(BUNDLE);
        assertThat(order.port()).isEqualTo(4790);
        assertThat(order.isReleased()).isFalse();
        order.awaitRelease();
    }

    @ParameterizedTest
    @ValueSource(strings = {"r-----r--", "rw--w----", "rw-----w-", "rw-r--r--"})
    void aFileThatIsOpenToOthersIsRefused(String permissions) throws Exception {
        Path file = file(permissions, delimited());

        HvException refused = catchThrowableOfType(HvException.class, () -> NodeOrder.from(file, 4790));

        assertThat(refused.exit()).isEqualTo(ExitCode.CONFLICT);
        assertThat(refused).hasMessageContaining("open to others: " + permissions);
    }

    @Test
    void whatIsNoBundleIsRefused() throws Exception {
        byte[] whole = delimited();
        for (byte[] content : new byte[][] {
            {}, {1}, "a text".getBytes(), Arrays.copyOf(whole, whole.length - 1), Arrays.copyOf(whole, whole.length + 1)
        }) {
            Path file = file("rw-------", content);

            HvException refused = catchThrowableOfType(HvException.class, () -> NodeOrder.from(file, 4790));

            assertThat(refused.exit()).isEqualTo(ExitCode.FAILURE);
            assertThat(refused).hasMessageContaining("is not what hv export writes");
        }
        Path none = folder.resolve("none");
        assertThat(catchThrowableOfType(HvException.class, () -> NodeOrder.from(none, 1))
                        .exit())
                .isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void standardInputReleasesItByOneByte() throws Exception {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        input.write(delimited());

        NodeOrder givenUp = NodeOrder.from(new ByteArrayInputStream(input.toByteArray()));
        input.write(1);
        NodeOrder released = NodeOrder.from(new ByteArrayInputStream(input.toByteArray()));

        assertThat(givenUp.isReleased()).isTrue();
        assertThat(catchThrowableOfType(HvException.class, givenUp::awaitRelease))
                .hasMessageContaining("the start was given up");
        released.awaitRelease();
        assertThat(released.port()).isZero();
    }
}
