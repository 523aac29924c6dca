package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.cores.CorePlacement;
import io.hyperverbs.vmm.cores.EngineCores;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which engines of a machine programs are kept away from. A running machine has it in the store, for
 * domains that come later.
 *
 * @param dedicated names of the HCAs whose engines have cores of their own
 * @param shared names of the others
 */
public record EnginePlan(List<String> dedicated, List<String> shared) {
    private static final String CORE_KEY = "domain/tool/core";
    private static final String ENGINES_KEY = "domain/tool/engines";

    public EnginePlan {
        dedicated = List.copyOf(dedicated);
        shared = List.copyOf(shared);
    }

    static EnginePlan of(Topology topology) {
        return new EnginePlan(names(topology, CorePlacement.DEDICATED), names(topology, CorePlacement.SHARED));
    }

    private static List<String> names(Topology topology, CorePlacement core) {
        return topology.hcas().stream()
                .filter(hca -> hca.core() == core)
                .map(HcaSpec::name)
                .toList();
    }

    /** That of a running machine; of one that is not up yet one dedicated engine. */
    static EnginePlan read(MachineClient client) throws MachineException {
        Optional<String> engines = client.storeRead(ENGINES_KEY, Duration.ZERO);
        if (engines.isPresent()) {
            String[] lists = engines.get().split("/", -1);
            return new EnginePlan(words(lists[0]), words(lists[1]));
        }
        Optional<String> core = client.storeRead(CORE_KEY, Duration.ZERO);
        boolean own = core.isEmpty() || core.get().equals(CorePlacement.DEDICATED.word());
        List<String> only = List.of(HcaSpec.standard().name());
        return own ? new EnginePlan(only, List.of()) : new EnginePlan(List.of(), only);
    }

    private static List<String> words(String list) {
        return list.isEmpty() ? List.of() : List.of(list.split(" ", -1));
    }

    void write(MachineClient client) throws MachineException {
        CorePlacement core = isDedicated() ? CorePlacement.DEDICATED : CorePlacement.SHARED;
        client.storeWrite(CORE_KEY, core.word());
        if (dedicated.size() + shared.size() > 1) {
            client.storeWrite(ENGINES_KEY, String.join(" ", dedicated) + "/" + String.join(" ", shared));
        }
    }

    /** Whether all engines have cores that programs do not run on, if there are any to give. */
    boolean isDedicated() {
        return shared.isEmpty();
    }

    /** Settings of the device domain and of all domains of an HCA; those of a machine with one HCA say less. */
    Map<String, String> settings(String hca) {
        Map<String, String> settings = new LinkedHashMap<>();
        boolean several = dedicated.size() + shared.size() > 1;
        boolean own = several ? dedicated.contains(hca) : isDedicated();
        settings.put(CorePlacement.SETTING, (own ? CorePlacement.DEDICATED : CorePlacement.SHARED).word());
        if (several) {
            settings.put(EngineCores.ENGINES_SETTING, Integer.toString(dedicated.size()));
            settings.put(EngineCores.ENGINE_SETTING, Integer.toString(Math.max(0, dedicated.indexOf(hca))));
        }
        return settings;
    }

    /** Where the engines of several HCAs run on so many cores, in words; empty for one HCA. */
    public String words(int cores) {
        int engines = dedicated.size();
        if (engines + shared.size() < 2) {
            return "";
        }
        EngineCores placed = new EngineCores(engines, 0);
        int own = placed.coresFor(cores);
        String others =
                shared.isEmpty() ? "" : "; those of " + String.join(", ", shared) + " share cores with programs";
        if (own == 0) {
            return "engines of all HCAs share cores with programs";
        }
        String names = String.join(", ", dedicated);
        return (placed.isOneEach(cores)
                        ? "engines of " + names + " have a core each"
                        : "engines of " + names + " share " + (own == 1 ? "one core" : own + " cores"))
                + ", programs have the other "
                + (cores - own)
                + others;
    }
}
