package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A job whose ranks' standard output is for its caller, and is shown only if it fails. One thread. */
final class QuietJob {
    private final CommandContext context;
    private final RunningMachine machine;
    private final RankPlaces places;

    QuietJob(CommandContext context, RunningMachine machine, RankPlaces places) {
        this.context = context;
        this.machine = machine;
        this.places = places;
    }

    /**
     * Runs it.
     *
     * @return what the ranks printed
     * @throws HvException FAILURE if one ended with another code than 0; TIMEOUT
     */
    String run(Program program) throws HvException, IOException, InterruptedException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        int code = new JavaJob(context, machine, places, false, () -> printed).run(program);
        String said = printed.toString(StandardCharsets.UTF_8);
        if (code != 0) {
            said.lines().forEach(context::note);
            throw new HvException(
                    ExitCode.FAILURE,
                    program.mainClass() + " in " + places.guests().getFirst() + " ended with exit code " + code,
                    "its own words are above");
        }
        return said;
    }
}
