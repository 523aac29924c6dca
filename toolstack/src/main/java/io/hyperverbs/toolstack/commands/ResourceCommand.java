package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.context.Inventory;
import io.hyperverbs.launcher.context.Resource;
import io.hyperverbs.launcher.context.Resources;
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

/** {@code hv rdma resource}. */
@Command(
        name = "resource",
        aliases = "res",
        description = {
            "Counts the HCAs' objects and the connection manager's ids (cm_id), or lists those of" + " one kind.",
            "KEY VALUE chooses rows: any key of a row, or guest for the domain that owns it."
        },
        footer = {
            "  hv rdma resource show",
            "  hv rdma resource show qp guest a",
            "  hv rdma resource show cm_id state LISTEN",
            "  hv rdma resource show qp state RTS --format json"
        })
public final class ResourceCommand extends HvCommand {
    /** The words that may come first, for completion. */
    static final class Words implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            List<String> words = new ArrayList<>();
            Resources.all().forEach(resource -> words.add(resource.word()));
            return words.iterator();
        }
    }

    @Parameters(
            paramLabel = "WORD",
            arity = "0..*",
            completionCandidates = Words.class,
            description = "[show] [${COMPLETION-CANDIDATES}] [KEY VALUE]...")
    List<String> words = List.of();

    public ResourceCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException {
        RowWords given = RowWords.of(words);
        Resource resource = given.kind().isEmpty() ? null : Resources.find(given.kind());
        if (resource == null && !given.kind().isEmpty()) {
            throw RowWords.unknown(
                    "object",
                    given.kind(),
                    Resources.all().stream().map(Resource::word).toList());
        }
        try (RunningMachine machine = new Machines(context()).running()) {
            List<Listing> listings = new ArrayList<>();
            for (MachineHca.Seen seen : MachineHca.chosen(machine, "")) {
                Inventory inventory = seen.inventory(machine);
                listings.add(resource == null ? Resources.summary(inventory) : resource.list(inventory));
            }
            Listing listing = Listing.join(listings);
            given.checkGuest(machine);
            context().folded(given.choose(listing).render(context().options().format()));
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        return ExitCode.OK.number();
    }
}
