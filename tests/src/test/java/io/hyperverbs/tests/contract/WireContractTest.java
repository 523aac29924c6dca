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
import io.hyperverbs.tests.ledger.Sources;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.vmm.io.FrameRun;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each case of the verbs contract on an HCA whose every message goes over its wire and comes back: as {@link
 * InProcessContractTest}, but for what the cases' own list says.
 */
class WireContractTest {
    /** HCA and doorbell pages. */
    private static final int OTHER_FRAMES = 16_384;

    private static final String NAK = "a NAK does not say which check failed";
    private static final String GRH = "RoCEv2 has no packet without a GRH";
    private static final String SL = "a packet of RoCEv2 has no service level";

    /** What is otherwise on a wire, and why (docs/wire.md). */
    private static final Map<String, String> OTHERWISE = new TreeMap<>(Map.ofEntries(
            Map.entry("errors.says-which-rkey", NAK),
            Map.entry("qp.explains-foreign-rkey", NAK),
            Map.entry("qp.explains-misaligned-atomic", NAK),
            Map.entry("qp.explains-queue-pair-rights", NAK),
            Map.entry("qp.explains-receive-protection", NAK),
            Map.entry("qp.explains-receive-too-small", NAK),
            Map.entry("qp.explains-remote-range", NAK),
            Map.entry("qp.explains-remote-rights", NAK),
            Map.entry("ud.send-of-0", GRH),
            Map.entry("ud.send-of-1", GRH),
            Map.entry("ud.send-of-2047", GRH),
            Map.entry("ud.send-of-2048", GRH),
            Map.entry("ud.reply-by-completion", GRH),
            Map.entry("ud.receive-exactly-fits", GRH),
            Map.entry("ah.to-port-by-lid", GRH),
            Map.entry("ud.completion-names-the-sender", SL),
            Map.entry("ud.reply-by-header", SL),
            Map.entry("ud.grh-says-what-the-handle-said", "the two lowest bits of the traffic class are ECN's"),
            Map.entry("ah.gid-of-no-guest-drops", "an IPv4 address is a port's, not a domain's"),
            Map.entry("uc.peer-connected-elsewhere-drops", "a request of UC has left before it arrives")));

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
        return Conformance.cases().stream()
                .filter(one -> !PathCases.NEED_THREADS.contains(one.name()))
                .filter(one -> !OTHERWISE.containsKey(one.name()))
                .map(one -> dynamicTest(one.name(), () -> run(one)));
    }

    @TestFactory
    Stream<DynamicNode> isOtherwise() {
        return Conformance.cases().stream()
                .filter(one -> OTHERWISE.containsKey(one.name()))
                .map(one -> dynamicTest(
                        one.name() + ": " + OTHERWISE.get(one.name()),
                        () -> assertThatThrownBy(() -> run(one)).isInstanceOf(AssertionError.class)));
    }

    @Test
    void whatIsOtherwiseIsThere() {
        assertThat(Conformance.cases(List.copyOf(OTHERWISE.keySet()))).hasSameSizeAs(OTHERWISE.keySet());
    }

    private static void run(ConformanceCase one) throws Exception {
        try (Rig rig = new Rig(domain, null, machine::nowNanos)) {
            one.body().run(rig);
        } catch (Throwable broken) {
            throw new AssertionError(one.name() + ": " + one.rule() + ": " + broken, broken);
        }
    }
}
