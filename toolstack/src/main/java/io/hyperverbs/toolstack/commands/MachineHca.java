package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.context.Inventory;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The HCAs of a running machine. */
final class MachineHca {
    /**
     * What can be seen of one.
     *
     * @param domains those on it, and the one that owns it
     * @param description what the machine was started with
     */
    record Seen(String name, HcaView hca, List<DomainReport> domains, String description) {
        /** Its objects, and what its device domain has of guests. */
        Inventory inventory(RunningMachine machine) {
            return new Inventory(hca, name, domains, machine.client()::describeSession);
        }
    }

    private MachineHca() {}

    /** Names of all HCAs of a machine, hv2 before hv10; those that are gone too. */
    static List<String> names(MachineReport status) {
        return status.domains().stream()
                .filter(domain -> domain.kind() == DomainKind.BACKEND)
                .map(DomainReport::hca)
                // Their device domains start side by side, so no order of theirs is kept.
                .sorted(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /**
     * Reads the one of that name.
     *
     * @param device empty for all that are there
     * @throws HvException NOT_FOUND: no such HCA, or no device domain is up
     */
    static List<Seen> chosen(RunningMachine machine, String device) throws HvException, MachineException {
        MachineReport status = machine.client().status();
        List<String> names = names(status);
        if (!device.isEmpty() && !names.contains(device)) {
            throw unknown(machine, device, names);
        }
        List<Seen> seen = new ArrayList<>();
        for (String name : names) {
            HcaView hca = HcaView.read(machine.client(), name);
            if (hca.isThere() && (device.isEmpty() || device.equals(name))) {
                seen.add(new Seen(name, hca, on(name, status), status.description()));
            }
        }
        if (seen.isEmpty()) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    names.size() > 1 && !device.isEmpty()
                            ? "the device domain of " + device + " does not run"
                            : machine.folder().name() + " has no HCA yet",
                    names.size() > 1 ? "hv ps shows it" : "try again");
        }
        return seen;
    }

    /**
     * Reads the one of that name.
     *
     * @param device empty for the only one
     * @throws HvException as for {@link #chosen}; USAGE if there are several and none is named
     */
    static Seen one(RunningMachine machine, String device) throws HvException, MachineException {
        List<String> names = names(machine.client().status());
        if (device.isEmpty() && names.size() > 1) {
            throw new HvException(
                    ExitCode.USAGE,
                    machine.folder().name() + " has several devices: " + String.join(", ", names),
                    "choose one with -d");
        }
        return chosen(machine, device).getFirst();
    }

    private static List<DomainReport> on(String hca, MachineReport status) {
        return status.domains().stream()
                .filter(domain -> domain.hca().equals(hca))
                .toList();
    }

    static HvException unknown(RunningMachine machine, String device, List<String> names) {
        String near = Suggestion.hint(device, names);
        String all = (names.size() == 1 ? "there is " : "there are ") + String.join(", ", names);
        return new HvException(
                ExitCode.NOT_FOUND,
                "no device " + device + " in " + machine.folder().name(),
                names.size() == 1 || near.isEmpty() ? all : near);
    }

    /** Refuses a port that none of these HCAs has; 0 stands for all of them. */
    static void checkPort(List<Seen> seen, int port) throws HvException {
        int count = seen.stream().mapToInt(one -> one.hca().portCount()).max().orElse(0);
        if (port < 0 || port > count) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    "no port " + port + " on "
                            + String.join(", ", seen.stream().map(Seen::name).toList()),
                    count == 1 ? "it has port 1" : "it has ports 1 to " + count);
        }
    }
}
