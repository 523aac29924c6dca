package io.hyperverbs.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.MachineException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DomainStartsTest {
    @TempDir
    Path folder;

    private HvException failure(VerbsStatus status, String message, String console) throws Exception {
        Path log = Files.writeString(folder.resolve("a.log"), console);
        return DomainStarts.failure(log, "a", new MachineException(status, message));
    }

    @Test
    void aDomainThatEndedSaysItsLastWords() throws Exception {
        HvException ended = failure(VerbsStatus.EIO, "exit code 1 before ready", "domain not started: no token\n\n");

        assertThat(ended.exit()).isEqualTo(ExitCode.FAILURE);
        assertThat(ended)
                .hasMessage("domain a: exit code 1 before ready; its console ends with: domain not started: no token");
    }

    @Test
    void aSlowStartIsItsOwnReasonWhateverItsEndPrinted() throws Exception {
        for (String words : new String[] {"Killed\n", "unshare: sigprocmask unblock failed: Invalid argument\n"}) {
            HvException late = failure(VerbsStatus.ETIMEDOUT, "not ready within the 60 s: its JVM ...", words);

            assertThat(late.exit()).isEqualTo(ExitCode.TIMEOUT);
            assertThat(late).hasMessage("domain a: not ready within the 60 s: its JVM ...");
        }
    }
}
