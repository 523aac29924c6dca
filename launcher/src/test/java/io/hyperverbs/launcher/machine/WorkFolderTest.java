package io.hyperverbs.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WorkFolderTest {
    /** A process that has a work folder, says where, and waits for the end of its input. */
    static final class Holder {
        private Holder() {}

        @SuppressWarnings("SystemOut") // what the test reads
        public static void main(String[] args) throws Exception {
            try (WorkFolder folder = WorkFolder.make()) {
                Files.writeString(folder.path().resolve("file"), "text");
                System.out.println(folder.path().getParent());
                int _ = System.in.read();
            }
        }
    }

    private static Process holder() throws Exception {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void theFolderOfAProcessThatIsKilledIsLeft() throws Exception {
        Process holder = holder();
        try (BufferedReader out = holder.inputReader()) {
            Path folder = Path.of(out.readLine());
            assertThat(WorkFolder.left()).doesNotContain(folder);

            assertThat(holder.destroyForcibly().waitFor()).isNotZero();

            assertThat(WorkFolder.left()).contains(folder);
            WorkFolder.remove(folder);
            assertThat(folder).doesNotExist();
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    void theFolderOfAProcessThatEndsGoesWithIt() throws Exception {
        Process holder = holder();
        try (BufferedReader out = holder.inputReader()) {
            Path folder = Path.of(out.readLine());
            holder.getOutputStream().close();

            assertThat(holder.waitFor()).isZero();

            assertThat(folder).doesNotExist();
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    void aProcessDoesNotTakeItsOwnForLeft() throws Exception {
        Path own;
        try (WorkFolder folder = WorkFolder.make()) {
            own = folder.path().getParent();
            assertThat(WorkFolder.left()).doesNotContain(own);
        }
        assertThat(own).doesNotExist();
    }

    @Test
    void whatHasNoLockYetIsBeingMade() throws Exception {
        Path made = Files.createTempDirectory("hv-work-");

        assertThat(WorkFolder.left()).doesNotContain(made);

        Files.delete(made);
    }
}
