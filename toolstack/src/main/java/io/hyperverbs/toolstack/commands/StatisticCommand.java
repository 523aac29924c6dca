package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.context.Statistics;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Listing;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.MachineException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hv rdma statistic}. */
@Command(
        name = "statistic",
        aliases = "stat",
        description = {
            "Shows counters by the names of the Linux kernel: of the HCA (dev, the default), of"
                    + " each port (link), of each domain (guest), or of each queue pair (qp).",
            "A domain's counters are those of the contexts it has open, and what the device domain"
                    + " rejected of its acts. KEY VALUE chooses rows."
        },
        footer = {
            "  hv rdma statistic show",
            "  hv rdma statistic show link",
            "  hv rdma statistic show guest a --format json",
            "  hv rdma statistic show qp guest a"
        })
public final class StatisticCommand extends HvCommand {
    private static final List<String> KINDS = List.of("dev", "link", "guest", "qp");

    /** The words that may come first, for completion. */
    static final class Words implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return KINDS.iterator();
        }
    }

    @Parameters(
            paramLabel = "WORD",
            arity = "0..*",
            completionCandidates = Words.class,
            description = "[show] [dev|link|guest|qp] [KEY VALUE]...")
    List<String> words = List.of();

    public StatisticCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException {
        RowWords given = RowWords.of(words);
        if (!given.kind().isEmpty() && !KINDS.contains(given.kind())) {
            throw RowWords.unknown("kind", given.kind(), KINDS);
        }
        try (RunningMachine machine = new Machines(context()).running()) {
            List<Listing> listings = new ArrayList<>();
            for (MachineHca.Seen seen : MachineHca.chosen(machine, "")) {
                listings.add(list(given.kind(), new Statistics(seen.inventory(machine))));
            }
            Listing listing = Listing.join(listings);
            given.checkGuest(machine);
            context().folded(given.choose(listing).render(context().options().format()));
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        return ExitCode.OK.number();
    }

    private static Listing list(String kind, Statistics statistics) {
        return switch (kind) {
            case "link" -> statistics.ports();
            case "guest" -> statistics.guests();
            case "qp" -> statistics.queuePairRows();
            default -> statistics.hca();
        };
    }
}
