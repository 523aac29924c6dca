package io.hyperverbs.toolstack.commands;

import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.context.LinkDirection;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.topology.Link;
import io.hyperverbs.launcher.topology.TopologyLoader;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hv link}. */
@Command(
        name = "link",
        description = {
            "Shows the links between the HCAs of a running machine, one row for each direction: what is set for it, and"
                    + " what became of packets while something was set. Or changes a link in both directions.",
            "down and up switch a link and keep its other settings. KEY=VALUE words replace all its settings, none"
                + " takes all away; either way it is up then, unless down=true is among them. A change lasts until the"
                + " next one, or until the machine ends.",
            "Keys: loss, duplicate, corrupt, reorder (0.1%%), delay, jitter (10us), rate (10Gbit), queue (256KiB), ecn"
                    + " (32KiB-128KiB), seed (7), down (true); docs/topology.md explains them."
        },
        footer = {
            "  hv link",
            "  hv link --format json",
            "  hv link hv0-hv1 down",
            "  hv link hv0-hv1 up",
            "  hv link hv0-hv1 loss=1%% delay=10us",
            "  hv link hv0-hv1 none"
        })
public final class LinkCommand extends HvCommand {
    /** For completion. */
    static final class Words implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of(
                            "down",
                            "up",
                            "none",
                            "loss=",
                            "duplicate=",
                            "corrupt=",
                            "reorder=",
                            "delay=",
                            "jitter=",
                            "rate=",
                            "queue=",
                            "ecn=",
                            "seed=")
                    .iterator();
        }
    }

    @Parameters(index = "0", paramLabel = "LINK", arity = "0..1", description = "Both HCAs, such as hv0-hv1.")
    String name = "";

    @Parameters(
            index = "1..*",
            paramLabel = "down|up|none|KEY=VALUE",
            arity = "0..*",
            completionCandidates = Words.class,
            description = "What is to happen on it.")
    List<String> words = List.of();

    public LinkCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException {
        UnaryOperator<LinkSettings> change = words.isEmpty() ? UnaryOperator.identity() : LinkChanges.of(words);
        try (RunningMachine machine = new Machines(context()).running()) {
            List<Link> links = links(machine);
            if (words.isEmpty()) {
                list(machine, links);
            } else {
                change(machine, links.getFirst(), change);
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        return ExitCode.OK.number();
    }

    /** The links that are meant, at least one. */
    private List<Link> links(RunningMachine machine) throws HvException, MachineException {
        MachineReport status = machine.client().status();
        String topology = machine.folder().name();
        // What other commands start has one HCA, and a sentence for a description.
        List<Link> all = MachineHca.names(status).size() < 2
                ? List.of()
                : TopologyLoader.parse("description", status.description(), new LabPrograms())
                        .links();
        if (all.isEmpty()) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    topology + " has no links",
                    "a topology with several hcas has; docs/topology.md");
        }
        List<Link> chosen = all.stream()
                .filter(link -> name.isEmpty() || link.name().equals(name))
                .toList();
        if (chosen.isEmpty()) {
            throw unknown(topology, all);
        }
        return chosen;
    }

    private HvException unknown(String topology, List<Link> all) {
        List<String> names = all.stream().map(Link::name).toList();
        for (Link link : all) {
            if (name.equals(link.second() + "-" + link.first())) {
                return new HvException(
                        ExitCode.NOT_FOUND, "no link " + name + " in " + topology, "it is called " + link.name());
            }
        }
        String near = Suggestion.hint(name, names);
        return new HvException(
                ExitCode.NOT_FOUND, "no link " + name + " in " + topology, near.isEmpty() ? "hv link shows all" : near);
    }

    private void list(RunningMachine machine, List<Link> links) throws MachineException {
        Map<String, HcaView> hcas = new LinkedHashMap<>();
        List<LinkDirection> directions = new ArrayList<>();
        for (Link link : links) {
            for (String end : List.of(link.first(), link.second())) {
                if (!hcas.containsKey(end)) {
                    hcas.put(end, HcaView.read(machine.client(), end));
                }
            }
            HcaView first = Objects.requireNonNull(hcas.get(link.first()));
            HcaView second = Objects.requireNonNull(hcas.get(link.second()));
            directions.add(LinkDirection.read(link.name(), link.first(), first, link.second(), second));
            directions.add(LinkDirection.read(link.name(), link.second(), second, link.first(), first));
        }
        context()
                .folded(LinkDirection.list(directions)
                        .render(context().options().format()));
    }

    /** Both directions are to have the same: what the first has now, changed. */
    private static void change(RunningMachine machine, Link link, UnaryOperator<LinkSettings> change)
            throws HvException, MachineException {
        MachineHca.Seen first = MachineHca.one(machine, link.first());
        MachineHca.Seen second = MachineHca.one(machine, link.second());
        LinkSettings before = LinkDirection.read(link.name(), first.name(), first.hca(), second.name(), second.hca())
                .settings();
        LinkSettings after = change.apply(Objects.requireNonNull(before));
        try {
            machine.client().setLink(link.first(), link.second(), after.text());
        } catch (MachineException e) {
            throw Failures.of(e, "hv link shows what each direction has");
        }
    }
}
