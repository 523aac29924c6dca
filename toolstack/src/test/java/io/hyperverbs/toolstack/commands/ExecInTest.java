package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecInTest {
    @Test
    void takesAnExitCode() throws HvException {
        assertThat(ExecIn.exitCode("a", "0")).isZero();
        assertThat(ExecIn.exitCode("a", " 255\n")).isEqualTo(255);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "zero", "-1", "256", "99999999999999999999", "1 2", "\u001b[2J"})
    void saysInOneLineThatAGuestAnsweredSomethingElse(String answer) {
        HvException refused = catchThrowableOfType(HvException.class, () -> ExecIn.exitCode("a", answer));

        assertThat(refused.getMessage()).startsWith("a answered no exit code").doesNotContain("\n");
        assertThat(refused.exit()).isEqualTo(ExitCode.FAILURE);
    }
}
