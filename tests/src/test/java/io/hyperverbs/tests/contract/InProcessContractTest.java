package io.hyperverbs.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.catalogue.Conformance;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.run.inprocess.InProcessMachine;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.vmm.io.FrameRun;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each case of the verbs contract on one machine in this process and on virtual time, one after the
 * other: what the HCA, the device domain's driver and the frontend driver answer. How that travels
 * between processes is {@link ContractTest}'s.
 */
class InProcessContractTest {
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
        machine = new InProcessMachine(HcaLimits.standard(), ramFrames, OTHER_FRAMES, folder);
        domain = machine.onVirtualTime(machine.add(guest.name(), ramFrames, settings));
    }

    @AfterAll
    static void closeMachine() {
        machine.close();
    }

    @TestFactory
    Stream<DynamicNode> holds() {
        return Conformance.cases().stream()
                .filter(one -> !PathCases.NEED_THREADS.contains(one.name()))
                .map(one -> dynamicTest(one.name(), () -> run(one)));
    }

    @Test
    void casesThatNeedThreadsAreThere() {
        assertThat(Conformance.cases(PathCases.NEED_THREADS)).hasSameSizeAs(PathCases.NEED_THREADS);
    }

    private static void run(ConformanceCase one) throws Exception {
        try (Rig rig = new Rig(domain, null, machine::nowNanos)) {
            one.body().run(rig);
        } catch (Throwable broken) {
            throw new AssertionError(one.rule() + ": " + broken, broken);
        }
    }
}
