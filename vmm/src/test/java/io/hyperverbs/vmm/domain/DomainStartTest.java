package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.Test;

class DomainStartTest extends CallsFixture {
    @Test
    void aSlowStartSaysHowFarItHasCome() {
        expectLate("not ready within the 0 s that a start may take: its JVM has not connected to the VMM");
        guest.pid = 4711;
        expectLate(
                "not ready within the 0 s that a start may take: its driver has connected to the VMM, but is not up");
    }

    private void expectLate(String words) {
        assertThatThrownBy(() -> DomainStart.awaitReady(guest, 0))
                .isInstanceOf(MachineException.class)
                .extracting(late -> ((MachineException) late).status(), Throwable::getMessage)
                .containsExactly(VerbsStatus.ETIMEDOUT, words);
    }
}
