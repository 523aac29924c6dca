package io.hyperverbs.launcher.machine;

import io.hyperverbs.device.DeviceDomainMain;
import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Link;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainSpec;
import io.hyperverbs.vmm.domain.Executables;
import io.hyperverbs.vmm.domain.GuestAddress;
import io.hyperverbs.vmm.hypercall.Boot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the VMM is to start for the domains of a topology. */
final class DomainSpecs {
    /** Name of the device domain of a machine with one HCA; of several each is called as its HCA. */
    private static final String BACKEND = "backend";

    /** The program that carries packets of guests with an address. */
    private static final String IP_CARRIER = "ipoib";

    private static final String GUEST_MAIN = "io.hyperverbs.frontend.GuestMain";
    private static final String DEVICE_MAIN = DeviceDomainMain.class.getName();

    private final Installation installation;
    private final MachineFolder folder;
    private final EnginePlan engines;

    DomainSpecs(Installation installation, MachineFolder folder, EnginePlan engines) {
        this.installation = installation;
        this.folder = folder;
        this.engines = engines;
    }

    /** Name of the device domain of an HCA of that topology. */
    static String deviceDomain(Topology topology, HcaSpec hca) {
        return topology.hcas().size() == 1 && !topology.isHosted() ? BACKEND : hca.name();
    }

    /**
     * The device domain of an HCA.
     *
     * @param brief as in {@link MachineLauncher.Mode}
     */
    DomainSpec backend(Topology topology, HcaSpec hca, boolean brief) throws HvException {
        Map<String, String> settings = new LinkedHashMap<>(hca.settings());
        settings.putAll(engines.settings(hca.name()));
        settings.putAll(wires(topology, hca));
        return new DomainSpec(
                deviceDomain(topology, hca),
                DomainKind.BACKEND,
                0,
                installation.hostClassPath(),
                installation.backendArchive(),
                installation.backendOptions(brief),
                DEVICE_MAIN,
                List.of(),
                settings);
    }

    /**
     * The HCAs at the other ends of its links: {@code wire.NAME.link}, {@code wire.NAME.ports} and, of an impaired link,
     * {@code wire.NAME.settings}.
     */
    static Map<String, String> wires(Topology topology, HcaSpec hca) {
        Map<String, String> wires = new LinkedHashMap<>();
        List<HcaSpec> all = new ArrayList<>(topology.hcas());
        // Those of other hosts have the addresses that the topology states.
        topology.hosts().elsewhere().forEach(far -> all.add(far.withAddresses(far.stated())));
        for (Link link : topology.links()) {
            String other = link.otherEnd(hca.name());
            for (HcaSpec there : all) {
                if (there.name().equals(other)) {
                    wires.put("wire." + other + ".link", link.name());
                    wires.put("wire." + other + ".ports", ports(there.ports()));
                    if (!link.settings().isNone()) {
                        wires.put("wire." + other + ".settings", link.settings().text());
                    }
                }
            }
        }
        return wires;
    }

    /** Such as {@code 3=127.10.0.3,4=127.10.0.4}. */
    private static String ports(PortSettings ports) {
        List<String> all = new ArrayList<>();
        for (int port = 1; port <= ports.count(); port++) {
            all.add(ports.lid(port) + "=" + Ipv4.text(ports.addresses().get(port - 1)));
        }
        return String.join(",", all);
    }

    /** A guest or native domain, whose HCA is named, that runs {@code program} or waits for one. */
    DomainSpec domain(Guest guest, Optional<Program> program) throws HvException {
        List<Path> files = new ArrayList<>();
        if (program.isPresent()) {
            files.addAll(put(guest, program.get()));
        }
        if (guest.address().isPresent()) {
            files.addAll(put(guest, carrier()));
        }
        return guest.nativeDomain() ? nativeDomain(guest, program, files) : guest(guest, program, files);
    }

    private static Program carrier() {
        return InstalledPrograms.find(IP_CARRIER, List.of()).orElseThrow();
    }

    private List<Path> put(Guest guest, Program program) throws HvException {
        try {
            return AppFolder.put(folder.app(guest.name()), program.files());
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot copy the program of " + guest.name() + ": " + e, "");
        }
    }

    private DomainSpec guest(Guest guest, Optional<Program> program, List<Path> files) throws HvException {
        List<Path> classPath = new ArrayList<>(installation.guestClassPath());
        classPath.addAll(files);
        Map<String, String> settings = settings(guest);
        List<String> args = new ArrayList<>();
        program.ifPresent(p -> {
            args.add(p.mainClass());
            args.addAll(p.args());
        });
        if (program.map(Program::input).orElse(false)) {
            settings.put(DomainSpec.INPUT_SETTING, "sent");
        }
        return new DomainSpec(
                guest.name(),
                DomainKind.GUEST,
                guest.memoryBytes(),
                classPath,
                installation.guestArchive(),
                installation.guestOptions(program.map(Program::brief).orElse(false)),
                GUEST_MAIN,
                args,
                settings);
    }

    private DomainSpec nativeDomain(Guest guest, Optional<Program> program, List<Path> files) {
        return new DomainSpec(
                guest.name(),
                DomainKind.NATIVE,
                guest.memoryBytes(),
                files,
                Optional.empty(),
                List.of(),
                program.map(Program::mainClass).orElse(""),
                program.map(Program::args).orElse(List.of()),
                settings(guest));
    }

    private Map<String, String> settings(Guest guest) {
        Map<String, String> settings = new LinkedHashMap<>(guest.settings());
        settings.put(Boot.HCA_SETTING, guest.hca());
        settings.putAll(engines.settings(guest.hca()));
        if (guest.address().isPresent()) {
            settings.put(GuestAddress.DRIVER_SETTING, carrier().mainClass());
        }
        if (guest.executables().count() > 0) {
            installation
                    .executableLibraries()
                    .ifPresent(path -> settings.put(Executables.LIBRARIES_SETTING, path.toString()));
        }
        return settings;
    }
}
