package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.mpi.JobDomains;
import io.hyperverbs.lab.run.suite.SuiteRig;
import io.hyperverbs.lab.run.suite.SuiteTerms;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;

/** Machines of {@code hv bench suite}, one after another. */
final class SuiteMachines implements SuiteRig {
    private final CommandContext context;
    private final LaunchOptions launch;
    private final SuiteTerms terms;
    private int machines;
    private String tier = "none";

    SuiteMachines(CommandContext context, LaunchOptions launch, SuiteTerms terms) {
        this.context = context;
        this.launch = launch;
        this.terms = terms;
    }

    @Override
    public SuiteTerms terms() {
        return terms;
    }

    @Override
    public String machineName() {
        return "suite-" + ProcessHandle.current().pid() + "-" + ++machines;
    }

    @Override
    public <T> T on(Topology topology, Work<T> work) throws HvException, InterruptedException, IOException {
        RunningMachine started =
                Launch.start(context, topology, context.environment().folder(), Launch.mode(context, false, launch));
        return Launch.once(started, machine -> {
            tier = machine.client().status().sandboxTier();
            try (Progress progress = context.progress()) {
                return work.on(machine, progress);
            }
        });
    }

    @Override
    public <T> T jobs(JobDomains domains, JobWork<T> work) throws HvException, InterruptedException, IOException {
        try (WorkFolder folder = WorkFolder.make()) {
            return on(
                    domains.topology(machineName(), "hv bench suite"),
                    (machine, progress) -> work.with(new MachineJobs(context, machine, domains, folder), progress));
        }
    }

    /** The sandbox tier of the last machine. */
    String tier() {
        return tier;
    }
}
