package io.hyperverbs.lab.run.walk;

import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.walk.agent.WalkAgent;
import io.hyperverbs.lab.walk.model.DomainQuota;
import io.hyperverbs.lab.walk.model.HcaFacts;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.topology.Guest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The domains of a walk, each with an agent, all of one machine. */
public final class WalkDomains implements WalkTarget {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** More than a receive of a queue pair in ERR may take to be flushed. */
    private static final Duration SHRINK_PATIENCE = Duration.ofMillis(2500);

    private final List<StoreLink> links;
    private final HcaFacts hca;

    private WalkDomains(List<StoreLink> links, HcaFacts hca) {
        this.links = links;
        this.hca = hca;
    }

    /** Starts a domain on each of the paths; two if it is only one. */
    public static WalkDomains start(MachineLauncher launcher, RunningMachine machine, List<CheckedPath> paths)
            throws HvException {
        List<CheckedPath> all = paths.size() == 1 ? List.of(paths.get(0), paths.get(0)) : paths;
        for (int i = 0; i < all.size(); i++) {
            List<String> args = List.of(Integer.toString(i), Integer.toString(all.size()));
            launcher.add(machine, guest(all.get(i), i), Optional.of(InstalledPrograms.of(WalkAgent.class, args)));
        }
        List<StoreLink> links = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            links.add(new StoreLink(machine.client(), guest(all.get(i), i).name()));
        }
        return of(links);
    }

    /** Domains whose agents are started already, in order of their numbers. */
    public static WalkDomains of(List<StoreLink> links) throws HvException {
        HcaFacts hca = links.getFirst().hello();
        for (StoreLink link : links) {
            hca = link.hello();
        }
        return new WalkDomains(links, hca);
    }

    /** The domain of a walk with that number, on that path. */
    public static Guest guest(CheckedPath path, int number) {
        Guest guest = path.guest();
        return new Guest(
                guest.name() + "-" + number,
                guest.nativeDomain(),
                guest.memoryBytes(),
                guest.path(),
                guest.share(),
                guest.trace(),
                DomainQuota.settings(),
                Optional.empty());
    }

    @Override
    public List<StoreLink> links() {
        return links;
    }

    @Override
    public HcaFacts hca() {
        return hca;
    }

    @Override
    public Duration unhurried() {
        return PATIENCE;
    }

    @Override
    public Duration hurried() {
        return SHRINK_PATIENCE;
    }

    /** Has all agents end. */
    public void end() throws HvException {
        for (StoreLink link : links) {
            link.end();
        }
    }
}
