package io.hyperverbs.toolstack.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChoicesTest {
    private static List<Integer> sizes(String... given) throws HvException {
        return Choices.bytesWithin("-s", List.of(given), 8, 1 << 20, List.of(64));
    }

    @Test
    void bytesMayHaveAUnit() throws HvException {
        assertThat(sizes("65536", "64KiB", "1MiB", "8")).containsExactly(65536, 65536, 1 << 20, 8);
    }

    @Test
    void standardSizesStandForNone() throws HvException {
        assertThat(sizes()).containsExactly(64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "much", "-8", "64 elephants", "3GiB", "9223372036854775808"})
    void whatIsNoNumberOfBytesIsRefusedInWords(String size) {
        assertThatThrownBy(() -> sizes("64", size))
                .isInstanceOfSatisfying(
                        HvException.class, e -> assertThat(e.exit()).isEqualTo(ExitCode.USAGE))
                .hasMessageContaining("-s " + size + ", must be 8 to 1048576 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "0", "2MiB"})
    void whatIsBeyondTheBoundsIsRefusedToo(String size) {
        assertThatThrownBy(() -> sizes(size))
                .isInstanceOf(HvException.class)
                .hasMessageContaining("must be 8 to 1048576");
    }
}
