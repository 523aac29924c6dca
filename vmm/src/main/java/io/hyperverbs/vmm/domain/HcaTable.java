package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HCAs of a machine, in the order in which their device domains were started, and what the end
 * of a device domain means for the others (docs/adr/0040). Callable from any thread.
 */
final class HcaTable {
    private static final Logger LOG = LoggerFactory.getLogger(HcaTable.class);

    /** A process that is killed is gone by then, or the VMM cannot do its work. */
    private static final long KILL_MILLIS = 10_000;

    private final Machine machine;
    private final Runnable lastLost;
    private final Map<String, HcaRecord> byName = new LinkedHashMap<>();

    /**
     * @param lastLost called when a device domain ends, was not asked to, and no other is left
     */
    HcaTable(Machine machine, Runnable lastLost) {
        this.machine = machine;
        this.lastLost = lastLost;
    }

    /**
     * Makes room for an HCA whose device domain is to start.
     *
     * @throws MachineException EINVAL for its name; EBUSY while one of that name has a device domain
     */
    synchronized HcaRecord add(String name) throws MachineException {
        DomainNames.checkHca(name);
        HcaRecord former = byName.get(name);
        if (former != null && !isGone(former)) {
            throw new MachineException(VerbsStatus.EBUSY, "HCA " + name + " has a device domain already");
        }
        HcaRecord hca = new HcaRecord(name, machine.table());
        byName.remove(name);
        byName.put(name, hca);
        return hca;
    }

    /** Takes one back whose device domain never came into the table of domains. */
    synchronized void remove(HcaRecord hca) {
        byName.remove(hca.name(), hca);
    }

    synchronized boolean isEmpty() {
        return byName.isEmpty();
    }

    private boolean isGone(HcaRecord hca) {
        DomainRecord domain = hca.deviceDomain();
        return domain != null && machine.table().stateOf(domain).ended();
    }

    /**
     * The ends of a link that are HCAs of this machine.
     *
     * @throws MachineException ENOENT if none is
     */
    synchronized List<LinkChange.End> ends(String first, String second) throws MachineException {
        List<LinkChange.End> ends = new ArrayList<>();
        HcaRecord one = byName.get(first);
        HcaRecord other = byName.get(second);
        if (one != null) {
            ends.add(new LinkChange.End(one, second));
        }
        if (other != null) {
            ends.add(new LinkChange.End(other, first));
        }
        if (ends.isEmpty()) {
            throw new MachineException(VerbsStatus.ENOENT, "no HCA " + first + " and no HCA " + second);
        }
        return ends;
    }

    /**
     * The HCA of that name.
     *
     * @param name empty for the only one
     * @throws MachineException ENOENT if there is none; EINVAL if several are there and none is named
     */
    synchronized HcaRecord find(String name) throws MachineException {
        if (name.isEmpty() && byName.size() > 1) {
            throw new MachineException(VerbsStatus.EINVAL, "which HCA: " + String.join(" or ", byName.keySet()));
        }
        HcaRecord hca = name.isEmpty() ? byName.values().stream().findFirst().orElse(null) : byName.get(name);
        if (hca == null) {
            throw new MachineException(VerbsStatus.ENOENT, name.isEmpty() ? "no HCA" : "no HCA " + name);
        }
        return hca;
    }

    /**
     * The HCA of that name, on which a domain is to start.
     *
     * @throws MachineException EINVAL if its device domain does not run
     */
    synchronized HcaRecord running(String name) throws MachineException {
        HcaRecord hca = byName.get(name);
        DomainRecord domain = hca == null ? null : hca.deviceDomain();
        if (hca == null || domain == null || machine.table().stateOf(domain) != DomainState.RUNNING) {
            throw new MachineException(
                    VerbsStatus.EINVAL,
                    byName.size() > 1
                            ? "the device domain of HCA " + name + " does not run"
                            : "the backend domain does not run");
        }
        return hca;
    }

    /**
     * The process of a device domain is gone. Guests of its HCA end, unless there is no other HCA:
     * then the machine goes as a whole.
     *
     * @param ending how it ended, such as {@code ended with exit code 137}
     */
    void processEnded(DomainRecord deviceDomain, String ending) {
        HcaRecord hca = deviceDomain.hca();
        hca.notices().backendGone();
        if (machine.isClosing() || !othersLive(deviceDomain)) {
            return;
        }
        String why = "its HCA " + hca.name() + " is gone: the device domain " + ending;
        for (DomainRecord domain : machine.table().live()) {
            if (domain.isOn(hca) && domain.kind() != DomainKind.BACKEND) {
                LOG.error("{}: {}", domain.name(), why);
                machine.end(domain, VerbsStatus.EIO, why, deviceDomain.exitCode);
            }
        }
    }

    /** A device domain has ended, and all that it had is free. */
    void ended(DomainRecord deviceDomain) {
        if (deviceDomain.stopRequested || machine.isClosing()) {
            return;
        }
        LOG.error("device domain {} ended with exit code {}", deviceDomain.name(), deviceDomain.exitCode);
        if (!othersLive(deviceDomain)) {
            lastLost.run();
        }
    }

    private boolean othersLive(DomainRecord deviceDomain) {
        List<DomainRecord> live = machine.table().live();
        return live.stream().anyMatch(one -> one.kind() == DomainKind.BACKEND && one.id() != deviceDomain.id());
    }

    /** Without its connection a device domain is of no use, whatever its process does. */
    static void connectionLost(DomainRecord deviceDomain) {
        DomainProcess process = deviceDomain.process;
        if (process != null && !deviceDomain.stopRequested) {
            process.kill();
        }
    }

    /** A device domain answers nobody. */
    static void killSilent(DomainRecord deviceDomain) {
        DomainProcess process = deviceDomain.process;
        if (process != null) {
            LOG.error("device domain {} answers nobody and is killed", deviceDomain.name());
            process.kill();
            try {
                // Until it is gone it may still write to the frames.
                process.awaitExit(KILL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
