package io.hyperverbs.frontend.executable;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.frontend.program.ExecutableStarter.Running;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shell itself, here in no sandbox. It ends with this process, which holds the pipe that it reads. */
@Timeout(60)
class ExecutableShellTest {
    @TempDir
    Path folder;

    private ExecutableShell shell;

    @BeforeEach
    void startShell() throws Exception {
        shell = ExecutableShell.start(Map.of("GREETING", "it's me"), List.of());
    }

    @Test
    void aStarterGetsTheCommand() throws Exception {
        ExecutableShell started = ExecutableShell.start(Map.of(), List.of("sh", "-c", "test \"$1 $2\" = 'a b c'", ""));

        assertThat(started.start(List.of("a b", "c")).await()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "false, 1", "no-such-command-here, 127"})
    void anExecutableEndsWithItsExitCode(String command, int expected) throws Exception {
        assertThat(shell.start(List.of(command)).await()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "it's", "a b", "$HOME `id` \\ \"x\"", "two\nlines", "", "\\n", "é 名"})
    void argumentsArriveAsTheyAre(String argument) throws Exception {
        Path file = folder.resolve("out");

        int exit = shell.start(List.of("sh", "-c", "printf %s \"$1\" > \"$0\"", file.toString(), argument))
                .await();

        assertThat(exit).isZero();
        assertThat(Files.readString(file, StandardCharsets.UTF_8)).isEqualTo(argument);
    }

    @Test
    void itsEnvironmentIsTheOneGiven() throws Exception {
        Path file = folder.resolve("out");

        shell.start(List.of("sh", "-c", "printf %s \"$GREETING\" > " + file)).await();

        assertThat(Files.readString(file)).isEqualTo("it's me");
    }

    @Test
    void commandsLongerThanAPipeWritesAtOnceAreRun() throws Exception {
        assertThat(shell.start(List.of("test", "x".repeat(20_000), "=", "x".repeat(20_000)))
                        .await())
                .isZero();
    }

    @Test
    void severalRunAtATime() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(shell.start(List.of("mkfifo", pipe.toString())).await()).isZero();

        Running reader = shell.start(List.of("sh", "-c", "read -r line < " + pipe + " && test \"$line\" = hello"));
        Running writer = shell.start(List.of("sh", "-c", "echo hello > " + pipe));

        assertThat(writer.await()).isZero();
        assertThat(reader.await()).isZero();
    }

    /** However early that comes. */
    @RepeatedTest(20)
    void aCancelledOneIsTerminated() throws Exception {
        Running sleeping = shell.start(List.of("sleep", "1000"));

        sleeping.cancel();

        assertThat(sleeping.await()).isEqualTo(143);
    }

    @Test
    void oneThatIgnoresThatIsKilledWithItsChildren() throws Exception {
        Path file = folder.resolve("child");
        Path ready = folder.resolve("pipe");
        assertThat(shell.start(List.of("mkfifo", ready.toString())).await()).isZero();
        Running stubborn = shell.start(List.of(
                "sh", "-c", "trap '' TERM; sleep 1000 & echo $! > " + file + "; echo up > " + ready + "; wait"));
        assertThat(shell.start(List.of("sh", "-c", "read -r line < " + ready)).await())
                .isZero();
        String child = Files.readString(file).strip();

        stubborn.cancel();

        assertThat(stubborn.await()).isEqualTo(137);
        awaitEnd(child);
    }

    @Test
    void whatOneLeavesInTheBackgroundGoesWithIt() throws Exception {
        Path file = folder.resolve("child");

        assertThat(shell.start(List.of("sh", "-c", "sleep 1000 & echo $! > " + file))
                        .await())
                .isZero();

        awaitEnd(Files.readString(file).strip());
    }

    /** It has no parent any more, and whoever reaps it may take long: a zombie has ended. */
    private static void awaitEnd(String pid) throws Exception {
        Path stat = Path.of("/proc", pid, "stat");
        long end = System.nanoTime() + 20_000_000_000L;
        while (Files.exists(stat) && !hasEnded(stat)) {
            assertThat(System.nanoTime()).as("process %s goes on", pid).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static boolean hasEnded(Path stat) throws Exception {
        try {
            return Files.readString(stat).contains(") Z ");
        } catch (NoSuchFileException e) {
            return true;
        }
    }
}
