package io.hyperverbs.tests.contract;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.run.inprocess.InProcessMachine;
import io.hyperverbs.lab.run.inprocess.Wiring;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.tests.ledger.Sources;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.vmm.io.FrameRun;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each case of the verbs contract on an HCA whose every message goes over its wire and comes back: as {@link
 * InProcessContractTest}, but for {@link WireCases#OTHERWISE}.
 */
class WireContractTest {
    /** HCA and doorbell pages. */
    private static final int OTHER_FRAMES = 16_384;

    private static InProcessMachine machine;
    private static Domain domain;

    @BeforeAll
    static void startMachine(@TempDir Path folder) throws Exception {
        Guest guest = CheckedPath.NATIVE.guest();
        int ramFrames = (int) (guest.memoryBytes() / FrameRun.FRAME_BYTES);
        Map<String, String> settings = new LinkedHashMap<>(guest.settings());
        // By a clock that stands still between waits all records are written at once.
        settings.put("quota." + QuotaKind.JOURNAL.key(), Long.toString(1L << 40));
        HcaLimits limits = HcaLimits.standard();
        machine = new InProcessMachine(
                limits, ramFrames, OTHER_FRAMES, folder, Wiring.outAndBack(limits, Sources.seed()));
        domain = machine.onVirtualTime(machine.add(guest.name(), ramFrames, settings));
    }

    @AfterAll
    static void closeMachine() {
        machine.close();
    }

    @TestFactory
    Stream<DynamicNode> holds() {
        return WireCases.hold(WireContractTest::rig, WireCases.OTHERWISE, Set.of());
    }

    @TestFactory
    Stream<DynamicNode> isOtherwise() {
        return WireCases.areOtherwise(WireContractTest::rig, WireCases.OTHERWISE);
    }

    private static Rig rig() {
        return new Rig(domain, null, machine::nowNanos);
    }
}
