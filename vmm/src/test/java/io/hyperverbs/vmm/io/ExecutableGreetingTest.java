package io.hyperverbs.vmm.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.wire.ExecutableGreetingMessage;
import org.junit.jupiter.api.Test;

class ExecutableGreetingTest {
    @Test
    void aWelcomeReadsAsItsMessage() throws Exception {
        ExecutableGreetingMessage read = ExecutableGreetingMessage.parseFrom(
                ExecutableGreeting.welcome("a", 1L << 33).bytes());

        assertThat(read)
                .isEqualTo(ExecutableGreetingMessage.newBuilder()
                        .setVersion(1)
                        .setMemoryBytes(1L << 33)
                        .setDomain("a")
                        .build());
    }

    @Test
    void aRefusalSaysWhy() throws Exception {
        ExecutableGreetingMessage read = ExecutableGreetingMessage.parseFrom(
                ExecutableGreeting.refusal("a", VerbsStatus.ENOMEM, "none left").bytes());

        assertThat(read.getStatus()).isEqualTo(VerbsStatus.ENOMEM.code());
        assertThat(read.getMessage()).isEqualTo("none left");
        assertThat(read.getMemoryBytes()).isZero();
    }
}
