package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.toolstack.cli.CliEnvironment;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.toolstack.cli.Screen;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Which running machine a command line means. */
class MachinesTest {
    @TempDir
    Path runtime;

    @TempDir
    Path here;

    private Machines machines(String... options) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        CommandContext context =
                new CommandContext(new CliEnvironment(nowhere, nowhere, environment(), here, Screen.none()));
        new CommandLine(context.options()).parseArgs(options);
        return new Machines(context);
    }

    private Map<String, String> environment() {
        return Map.of("XDG_RUNTIME_DIR", runtime.toString());
    }

    /** As if this very process were its VMM. */
    private MachineFolder running(String name) throws Exception {
        ProcessHandle self = ProcessHandle.current();
        MachineFolder folder = StateRoot.of(environment()).folder(name);
        Files.createDirectories(folder.path());
        long started = self.info().startInstant().orElseThrow().toEpochMilli();
        Files.writeString(folder.pidFile(), self.pid() + " " + started + "\n");
        return folder;
    }

    @Test
    void machinesThatOtherCommandsStartedArePassedOver() throws Exception {
        running("bench-7");
        running("check-8");

        assertThat(machines().offered()).isEmpty();
        assertThat(machines().passedOver())
                .hasValueSatisfying(hint -> assertThat(hint)
                        .contains("started them: bench-7, check-8")
                        .contains("-t"));
        HvException none = catchThrowableOfType(HvException.class, machines()::runningFolder);
        assertThat(none.exit()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(none.problems().getFirst().hint()).contains("bench-7, check-8");

        running("pair").offer();

        assertThat(machines().offered()).extracting(MachineFolder::name).containsExactly("pair");
        assertThat(machines().runningFolder().name()).isEqualTo("pair");
        assertThat(machines().allRunning()).hasSize(3);
    }

    @Test
    void aNameMeansAnyMachine() throws Exception {
        running("bench-7");
        running("pair").offer();

        assertThat(machines("-t", "bench-7").runningFolder().name()).isEqualTo("bench-7");
    }

    @Test
    void withNothingRunningNothingIsPassedOver() throws Exception {
        assertThat(machines().passedOver()).isEmpty();
        HvException none = catchThrowableOfType(HvException.class, machines()::runningFolder);
        assertThat(none.problems().getFirst().hint()).isEqualTo("hv up starts one");
    }
}
