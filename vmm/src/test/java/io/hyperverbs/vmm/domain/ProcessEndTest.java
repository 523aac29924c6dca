package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessEndTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    /** A child that ends once its parent is sleep: while that is a shell yet, it may take note. */
    private static final String ENDS_WHEN_THE_PARENT_IS_SLEEP =
            "until [ \"$(cat /proc/$$/comm)\" = sleep ]; do :; done";

    /** Starts a process that never takes note of its child's end. */
    private static Process parentOf(String child) throws Exception {
        return new ProcessBuilder("sh", "-c", "{ " + child + "; } & echo $!; exec sleep 60").start();
    }

    private static ProcessHandle child(Process parent) throws Exception {
        BufferedReader lines = parent.inputReader();
        return ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
    }

    @Test
    void aProcessOfWhoseEndNobodyTakesNoteHasEnded() throws Exception {
        Process parent = parentOf(ENDS_WHEN_THE_PARENT_IS_SLEEP);
        try {
            ProcessHandle child = child(parent);

            assertThat(ProcessEnd.await(child, LONG)).isTrue();
            assertThat(child.isAlive()).as("to the JDK").isTrue();
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }

    @Test
    void oneThatRunsHasNotUntilItIsKilled() throws Exception {
        Process parent = parentOf("sleep 60");
        try {
            ProcessHandle child = child(parent);

            assertThat(ProcessEnd.await(child, Duration.ZERO)).isFalse();
            child.destroyForcibly();
            assertThat(ProcessEnd.await(child, LONG)).isTrue();
        } finally {
            parent.destroyForcibly().waitFor();
        }
        assertThat(ProcessEnd.hasEnded(parent.toHandle())).isTrue();
    }
}
