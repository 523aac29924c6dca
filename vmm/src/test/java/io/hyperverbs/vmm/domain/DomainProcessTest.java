package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.vmm.sandbox.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Process numbers are told by others and used again by the system. */
class DomainProcessTest {
    @TempDir
    Path folder;

    private Path printed;
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
        started.descendants().forEach(ProcessHandle::destroyForcibly);
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

    /** As the sandbox around a guest: killed first, what is around complains on the guest's console. */
    @Test
    void whatIsAroundTheInnermostEndsByItself() throws Exception {
        kill("sh", "-c", "sh -c 'sleep 600; echo the innermost has ended'; exit 3");

        assertThat(started.exitValue()).isEqualTo(3);
        assertThat(printed).content().endsWith("the innermost has ended\n");
    }

    /** Unshare says that it cannot unblock SIGKILL when its first process was killed, and ends with 1. */
    @Test
    void aSandboxThatIsStillBeingMadeEndsWithoutAWord() throws Exception {
        String unshare = Tools.find("unshare").orElse("");
        List<String> maker = List.of(unshare, "--user", "--map-root-user", "--pid", "--fork", "--kill-child");
        assumeTrue(!unshare.isEmpty() && endsWell(maker), "no user namespaces here");
        List<String> command = new ArrayList<>(maker);
        // The shell's own command: a first process that has started nobody yet.
        command.addAll(List.of("sh", "-c", "while :; do :; done"));

        kill(command.toArray(String[]::new));

        assertThat(started.exitValue()).isEqualTo(137);
        assertThat(printed).hasContent("");
    }

    private static boolean endsWell(List<String> maker) throws Exception {
        List<String> command = new ArrayList<>(maker);
        command.add("true");
        return new ProcessBuilder(command).start().waitFor() == 0;
    }

    /** Starts the command in place of {@link #started}, and kills it once it has started another. */
    private void kill(String... command) throws Exception {
        stop();
        printed = folder.resolve("printed");
        started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        await().until(() -> started.children().findAny().isPresent());

        new DomainProcess(started, null).kill();

        assertThat(started.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
}
