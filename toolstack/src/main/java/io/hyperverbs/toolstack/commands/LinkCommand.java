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
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Link;
import io.hyperverbs.launcher.topology.Topology;
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
import java.util.Optional;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hv link}. */
@Command(
        name = "link",
        description = {
            "Shows the links between the HCAs of a running machine, one row for each direction: what is set for it, and"
                    + " what became of packets while something was set. Or changes a link in both directions. Over"
                    + " several hosts each host has the direction to its HCA.",
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
            Links links = links(machine);
            if (words.isEmpty()) {
                list(machine, links);
            } else {
                change(machine, links, change);
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        return ExitCode.OK.number();
    }

    /**
     * The links that are meant.
     *
     * @param chosen at least one
     * @param own names of the HCAs of this machine, which is a topology or its part on one host
     */
    private record Links(Topology topology, List<Link> chosen, List<String> own) {
        /** Addresses of an HCA of another host, which the topology states. */
        List<Integer> addresses(String hca) {
            return topology.hcas().stream()
                    .filter(one -> one.name().equals(hca))
                    .findFirst()
                    .map(HcaSpec::stated)
                    .orElse(List.of());
        }
    }

    private Links links(RunningMachine machine) throws HvException, MachineException {
        MachineReport status = machine.client().status();
        String name = machine.folder().name();
        List<String> own = MachineHca.names(status);
        // What other commands start has one HCA, and a sentence for a description.
        boolean isTopology = own.size() > 1 || Topology.isPart(name);
        Optional<Topology> topology = isTopology
                ? Optional.of(TopologyLoader.parse("description", status.description(), new LabPrograms()))
                : Optional.empty();
        List<Link> all = topology.map(Topology::links).orElse(List.of());
        if (topology.isEmpty() || all.isEmpty()) {
            throw new HvException(
                    ExitCode.NOT_FOUND, name + " has no links", "a topology with several hcas has; docs/topology.md");
        }
        List<Link> chosen = all.stream()
                .filter(link -> this.name.isEmpty() || link.name().equals(this.name))
                .toList();
        if (chosen.isEmpty()) {
            throw unknown(Topology.wholeName(name), all);
        }
        return new Links(topology.get(), chosen, own);
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

    private void list(RunningMachine machine, Links links) throws MachineException {
        Map<String, HcaView> hcas = new LinkedHashMap<>();
        List<LinkDirection> directions = new ArrayList<>();
        for (String name : links.own) {
            hcas.put(name, HcaView.read(machine.client(), name));
        }
        for (Link link : links.chosen) {
            directions.addAll(directions(link, links, hcas));
        }
        context()
                .folded(LinkDirection.list(directions)
                        .render(context().options().format()));
    }

    /** Those to HCAs of this machine: of a link to another host that is one. */
    private static List<LinkDirection> directions(Link link, Links links, Map<String, HcaView> hcas) {
        List<LinkDirection> directions = new ArrayList<>();
        for (String from : List.of(link.first(), link.second())) {
            String to = link.otherEnd(from);
            HcaView receiver = hcas.get(to);
            HcaView sender = hcas.get(from);
            if (receiver != null) {
                directions.add(
                        sender == null
                                ? LinkDirection.read(link.name(), from, links.addresses(from), to, receiver)
                                : LinkDirection.read(link.name(), from, sender, to, receiver));
            }
        }
        return directions;
    }

    /** Both directions are to have the same: what the first here has now, changed. */
    private static void change(RunningMachine machine, Links links, UnaryOperator<LinkSettings> change)
            throws HvException, MachineException {
        Link link = links.chosen.getFirst();
        Map<String, HcaView> hcas = new LinkedHashMap<>();
        for (String name : List.of(link.first(), link.second())) {
            if (links.own.contains(name)) {
                hcas.put(name, MachineHca.one(machine, name).hca());
            }
        }
        List<LinkDirection> before = directions(link, links, hcas);
        if (before.isEmpty()) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    "no end of " + link.name() + " is on this host",
                    "hv ps shows which HCA is where");
        }
        LinkSettings after =
                change.apply(Objects.requireNonNull(before.getFirst().settings()));
        try {
            machine.client().setLink(link.first(), link.second(), after.text());
        } catch (MachineException e) {
            throw Failures.of(e, "hv link shows what each direction has");
        }
    }
}
