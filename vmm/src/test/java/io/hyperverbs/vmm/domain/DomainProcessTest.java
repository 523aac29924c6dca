package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Process numbers are told by others and used again by the system. */
class DomainProcessTest {
    private Process started;
    private Process stranger;
    private DomainProcess domain;

    private static Process sleeper() throws IOException {
        return new ProcessBuilder("sleep", "600").start();
    }

    @BeforeEach
    void start() throws Exception {
        started = sleeper();
        stranger = sleeper();
        domain = new DomainProcess(started, null);
    }

    @AfterEach
    void stop() {
        started.destroyForcibly();
        stranger.destroyForcibly();
    }

    @Test
    void asksNobodyToEndWhoIsNotInside() throws Exception {
        domain.terminate(stranger.pid());

        assertThat(stranger.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(started.isAlive()).isTrue();
    }

    @Test
    void asksItsOwnToEnd() throws Exception {
        domain.terminate(started.pid());

        assertThat(started.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(stranger.isAlive()).isTrue();
    }

    /** A handle has the start time of its process: whoever has the number next is another. */
    @Test
    void signalsNobodyOnceItsProcessHasEnded() throws Exception {
        assertThat(started.destroyForcibly().waitFor(10, TimeUnit.SECONDS)).isTrue();

        domain.kill();
        domain.terminate(stranger.pid());

        assertThat(started.toHandle().destroyForcibly()).isFalse();
        assertThat(stranger.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
    }

    /** As unshare around a guest: killed first, what is around complains on the guest's console. */
    @Test
    void whatIsAroundTheInnermostEndsByItself() throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "sleep 600; echo the innermost has ended").start();
        try {
            await().until(() -> shell.children().findAny().isPresent());

            new DomainProcess(shell, null).kill();

            assertThat(shell.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(shell.getInputStream()).hasContent("the innermost has ended\n");
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
    }
}
