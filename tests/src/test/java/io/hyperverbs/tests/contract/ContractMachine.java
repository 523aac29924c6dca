package io.hyperverbs.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.catalogue.Conformance;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.run.inprocess.InProcessMachine;
import io.hyperverbs.lab.run.inprocess.Wiring;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.vmm.io.FrameRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;

/** A machine in this process, on virtual time, that cases of the contract run on: a domain for each of its HCAs. */
final class ContractMachine implements AutoCloseable {
    static final HcaLimits LIMITS = HcaLimits.standard();

    /** An HCA and doorbell pages. */
    private static final int OTHER_FRAMES = 16_384;

    private final InProcessMachine machine;
    private final List<Domain> domains = new ArrayList<>();

    /** With an HCA for each of {@code wirings}. */
    ContractMachine(Path folder, List<Wiring> wirings) throws Exception {
        Guest guest = CheckedPath.NATIVE.guest();
        int ramFrames = (int) (guest.memoryBytes() / FrameRun.FRAME_BYTES);
        Map<String, String> settings = new LinkedHashMap<>(guest.settings());
        // By a clock that stands still between waits all records are written at once.
        settings.put("quota." + QuotaKind.JOURNAL.key(), Long.toString(1L << 40));
        machine = new InProcessMachine(LIMITS, wirings.size() * ramFrames, OTHER_FRAMES, folder, wirings);
        for (int number = 0; number < wirings.size(); number++) {
            String name = number == 0 ? guest.name() : guest.name() + number;
            domains.add(machine.onVirtualTime(machine.add(name, ramFrames, settings)));
        }
    }

    /** Cases that can run in one thread hold, but those named. */
    Stream<DynamicNode> hold(Set<String> except) {
        return Conformance.cases().stream()
                .filter(one -> !PathCases.NEED_THREADS.contains(one.name()) && !except.contains(one.name()))
                .map(one -> dynamicTest(one.name(), () -> run(one)));
    }

    /** What is said to be otherwise is; for each case why. */
    Stream<DynamicNode> areOtherwise(Map<String, String> otherwise) {
        assertThat(Conformance.cases(otherwise.keySet())).hasSameSizeAs(otherwise.keySet());
        return Conformance.cases().stream()
                .filter(one -> otherwise.containsKey(one.name()))
                .map(one -> dynamicTest(
                        one.name() + ": " + otherwise.get(one.name()),
                        () -> assertThatThrownBy(() -> run(one)).isInstanceOf(AssertionError.class)));
    }

    private void run(ConformanceCase one) throws Exception {
        try (Rig rig = rig()) {
            one.body().run(rig);
        } catch (Throwable broken) {
            throw new AssertionError(one.name() + ": " + one.rule() + ": " + broken, broken);
        }
    }

    /** A rig on the first domain or, where there are more, with the last one at the far end. */
    private Rig rig() {
        return domains.size() == 1
                ? new Rig(domains.getFirst(), null, machine::nowNanos)
                : new Rig(domains.getFirst(), domains.getLast(), null, machine::nowNanos);
    }

    @Override
    public void close() {
        machine.close();
    }
}
