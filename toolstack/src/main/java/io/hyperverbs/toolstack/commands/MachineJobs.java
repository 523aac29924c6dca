package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.mpi.JobDomains;
import io.hyperverbs.lab.run.mpi.JobRunner;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.util.List;

/**
 * Jobs of Java programs on a machine, their ranks spread evenly over the domains of a path. One thread.
 *
 * @param domains that the machine has
 * @param work folder for what is compiled
 */
record MachineJobs(CommandContext context, RunningMachine machine, JobDomains domains, WorkFolder work)
        implements JobRunner {
    @Override
    public String run(String path, int ranks, String program, List<String> args)
            throws HvException, IOException, InterruptedException {
        JavaPrograms programs = new JavaPrograms(work, context.environment().folder());
        RankPlaces places = RankPlaces.place(ranks, domains.on(path));
        return new QuietJob(context, machine, places).run(programs.find(program, args));
    }
}
