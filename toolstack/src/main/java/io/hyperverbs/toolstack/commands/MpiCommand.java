package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.mpi.JobDomains;
import io.hyperverbs.lab.run.mpi.MpiBench;
import io.hyperverbs.lab.run.mpi.MpiPlan;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hv bench mpi}. */
@Command(
        name = "mpi",
        description = {
            "Measures messages of MPI for Java programs: half round trips beside SEND, bandwidth beside RDMA write,"
                + " both ways at a time, messages a second, and operations of all ranks; between two native domains,"
                + " two guests, and two guests on the forwarded data path, in turn. A round is a job of mpi-perf on"
                + " each, which warms up by itself.",
            "With --nas CLASS the kernels EP, IS, CG, MG and FT too, in up to 3 rounds: each again and again in the"
                    + " same processes until it is no faster for a second; the median of the 5 to 25 times after that"
                    + " counts.",
            "Starts a machine of its own and leaves nothing."
        },
        footer = {"  hv bench mpi --quick", "  hv bench mpi -s 8,1048576 --nas S --format json"})
public final class MpiCommand extends HvCommand {
    private static final JobDomains DOMAINS = new JobDomains(2);
    private static final int MILLIS = 40;
    private static final int QUICK_MILLIS = 15;
    private static final int MOST_RANKS = 8;

    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Mixin
    RoundOptions terms = new RoundOptions();

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            split = ",",
            description = "Sizes of messages, 0 to 1048576 (default: 0,8,64,1024,8192,65536,1048576).")
    List<String> sizes = new ArrayList<>();

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "Ranks of operations and of NAS kernels, 2 to 8, half of them in each guest (default: 2).")
    int ranks = 2;

    @Option(names = "--nas", paramLabel = "CLASS", description = "Also the NAS kernels in class S or W.")
    @Nullable
    String nasClass;

    public MpiCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException, IOException {
        MpiPlan plan = plan();
        Topology topology = DOMAINS.topology("mpi-" + ProcessHandle.current().pid(), "hv bench mpi");
        RunningMachine started = Launch.start(
                context(), topology, context().environment().folder(), Launch.mode(context(), false, launch));
        MpiBench bench = Launch.once(started, machine -> measure(machine, plan));
        context().print(bench.table());
        if (context().options().format() == Format.TABLE) {
            bench.sentences().forEach(context()::sentence);
        }
        return ExitCode.OK.number();
    }

    private MpiPlan plan() throws HvException {
        List<Integer> chosen = Choices.bytesWithin("-s", sizes, 0, MpiPlan.MOST_BYTES, MpiPlan.STANDARD_SIZES);
        List<Integer> _ = Choices.within("--ranks", List.of(ranks), 2, MOST_RANKS, List.of());
        String problem = nasClass == null ? "" : nasClass.toUpperCase(Locale.ROOT);
        if (!List.of("", "S", "W").contains(problem)) {
            throw new HvException(
                    ExitCode.USAGE, "--nas " + nasClass + ", must be S or W", "class A does not fit into these guests");
        }
        return new MpiPlan(
                chosen.stream().distinct().toList(),
                ranks,
                terms.count(),
                terms.quick ? QUICK_MILLIS : MILLIS,
                problem);
    }

    private MpiBench measure(RunningMachine machine, MpiPlan plan)
            throws HvException, InterruptedException, IOException {
        try (WorkFolder work = WorkFolder.make();
                Progress progress = context().progress()) {
            MpiBench bench = new MpiBench(plan, new MachineJobs(context(), machine, DOMAINS, work));
            bench.run(progress);
            return bench;
        }
    }
}
