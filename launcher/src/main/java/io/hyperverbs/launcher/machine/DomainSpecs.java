package io.hyperverbs.launcher.machine;

import io.hyperverbs.device.DeviceDomainMain;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.vmm.cores.CorePlacement;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the VMM is to start for the domains of a topology. */
final class DomainSpecs {
    /** Name of the device domain. */
    static final String BACKEND = "backend";

    private static final String GUEST_MAIN = "io.hyperverbs.frontend.GuestMain";
    private static final String DEVICE_MAIN = DeviceDomainMain.class.getName();

    private final Installation installation;
    private final MachineFolder folder;
    private final CorePlacement core;

    /**
     * @param core of the machine's HCA
     */
    DomainSpecs(Installation installation, MachineFolder folder, CorePlacement core) {
        this.installation = installation;
        this.folder = folder;
        this.core = core;
    }

    /**
     * The device domain.
     *
     * @param brief as in {@link MachineLauncher.Mode}
     */
    DomainSpec backend(HcaSpec hca, boolean brief) throws HvException {
        return new DomainSpec(
                BACKEND,
                DomainKind.BACKEND,
                0,
                installation.hostClassPath(),
                installation.backendArchive(),
                installation.backendOptions(brief),
                DEVICE_MAIN,
                List.of(),
                hca.settings());
    }

    /** A guest or native domain that runs {@code program}, or waits for one. */
    DomainSpec domain(Guest guest, Optional<Program> program) throws HvException {
        List<Path> files = new ArrayList<>();
        if (program.isPresent()) {
            try {
                files.addAll(
                        AppFolder.put(folder.app(guest.name()), program.get().files()));
            } catch (IOException e) {
                throw new HvException(ExitCode.FAILURE, "cannot copy the program of " + guest.name() + ": " + e, "");
            }
        }
        return guest.nativeDomain() ? nativeDomain(guest, program, files) : guest(guest, program, files);
    }

    private DomainSpec guest(Guest guest, Optional<Program> program, List<Path> files) throws HvException {
        List<Path> classPath = new ArrayList<>(installation.guestClassPath());
        classPath.addAll(files);
        List<String> args = new ArrayList<>();
        program.ifPresent(p -> {
            args.add(p.mainClass());
            args.addAll(p.args());
        });
        Map<String, String> settings = settings(guest);
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
        settings.put(CorePlacement.SETTING, core.word());
        return settings;
    }
}
