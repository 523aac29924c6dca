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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each case of the verbs contract between two HCAs: sides with contexts of their own are in domains of one and the other
 * by turns.
 */
class TwoHcasContractTest {
    /** An HCA and doorbell pages. */
    private static final int OTHER_FRAMES = 16_384;

    private static final List<Domain> DOMAINS = new ArrayList<>();
    private static InProcessMachine machine;

    @BeforeAll
    static void startMachine(@TempDir Path folder) throws Exception {
        Guest guest = CheckedPath.NATIVE.guest();
        int ramFrames = (int) (guest.memoryBytes() / FrameRun.FRAME_BYTES);
        Map<String, String> settings = new LinkedHashMap<>(guest.settings());
        // By a clock that stands still between waits all records are written at once.
        settings.put("quota." + QuotaKind.JOURNAL.key(), Long.toString(1L << 40));
        HcaLimits limits = HcaLimits.standard();
        machine = new InProcessMachine(
                limits,
                2 * ramFrames,
                OTHER_FRAMES,
                folder,
                Wiring.between(2, limits, Sources.seed(), Wiring.Impairment.none()));
        for (String name : List.of(guest.name(), guest.name() + "-far")) {
            DOMAINS.add(machine.onVirtualTime(machine.add(name, ramFrames, settings)));
        }
    }

    @AfterAll
    static void closeMachine() {
        machine.close();
        DOMAINS.clear();
    }

    @TestFactory
    Stream<DynamicNode> holds() {
        return WireCases.hold(TwoHcasContractTest::rig, WireCases.otherwiseBetween(), WireCases.ONE_DOMAIN);
    }

    @TestFactory
    Stream<DynamicNode> isOtherwise() {
        return WireCases.areOtherwise(TwoHcasContractTest::rig, WireCases.otherwiseBetween());
    }

    private static Rig rig() {
        return new Rig(DOMAINS.getFirst(), DOMAINS.getLast(), null, machine::nowNanos);
    }
}
