package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.hca.HcaCommands.RegionInit;
import io.hyperverbs.hca.MachineRun;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.RegionChange;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Re-registration and DMA keys. */
class RegionVerbsTest extends SessionFixture {
    private static final int WRITE = Access.LOCAL_WRITE.bit();
    private static final int STEPS = 10;

    private FakeMachine.Counters baseline;
    private SessionObjects own;

    @BeforeEach
    void setUp() {
        baseline = bench.machine.counters();
        own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
    }

    private ControlRequest.ReregisterMemory change(int changes, long pd, long address, int access, FrameRun... runs) {
        long length = 0;
        for (FrameRun run : runs) {
            length += run.lengthBytes();
        }
        return new ControlRequest.ReregisterMemory(own.region(), changes, pd, address, length, access, List.of(runs));
    }

    private ControlReply.MemoryRegistered done(ControlRequest request) {
        return bench.done(session, request, ControlReply.MemoryRegistered.class);
    }

    @Test
    void reregistrationMovesPinsQuotaAndReferences() {
        long pd = bench.pd(session, own.context());
        FrameRun frames = bench.frames(session, 40, 3);
        FakeMachine.Counters before = bench.machine.counters();
        int all = RegionChange.TRANSLATION | RegionChange.PD | RegionChange.ACCESS;

        ControlReply.MemoryRegistered reply = done(change(all, pd, 0x20000, WRITE, frames));

        RegionInit init = bench.hca.lastRegion();
        assertThat(reply.region()).isEqualTo(own.region());
        assertThat(init.virtualAddress()).isEqualTo(0x20000);
        assertThat(init.lengthBytes()).isEqualTo(3 * 4096);
        assertThat(init.access()).isEqualTo(WRITE);
        assertThat(init.runs()).containsExactly(new MachineRun(frames.firstMachineAddress(), 3 * 4096));
        // The region had two frames.
        assertThat(bench.machine.counters().pins()).isEqualTo(before.pins() + 1);
        assertThat(session.quota().used(QuotaKind.REGISTERED)).isEqualTo(3 * 4096);
        assertThat(session.quota().used(QuotaKind.MR)).isEqualTo(1);
        assertThat(bench.refused(session, new ControlRequest.Destroy(ObjectKind.PD, pd))
                        .status())
                .isEqualTo(VerbsStatus.EBUSY);
        bench.destroy(session, ObjectKind.REGION, own.region());
        bench.destroy(session, ObjectKind.PD, pd);
        assertThat(session.quota().used(QuotaKind.REGISTERED)).isZero();
    }

    @Test
    void whatIsNotNamedStaysWhateverTheRequestSays() {
        RegionInit before = bench.hca.lastRegion();
        FakeMachine.Counters counters = bench.machine.counters();

        done(change(RegionChange.ACCESS, 999, 0x999, WRITE, bench.frames(session, 8, 1)));

        RegionInit after = bench.hca.lastRegion();
        assertThat(after.pd()).isEqualTo(before.pd());
        assertThat(after.virtualAddress()).isEqualTo(before.virtualAddress());
        assertThat(after.lengthBytes()).isEqualTo(before.lengthBytes());
        assertThat(after.runs()).isEqualTo(before.runs());
        assertThat(after.access()).isEqualTo(WRITE);
        assertThat(bench.machine.counters()).isEqualTo(counters);
    }

    @Test
    void zeroBasedRegionKeepsTheAddressItWasRegisteredAt() {
        done(change(RegionChange.ACCESS, 0, 0, WRITE | Access.ZERO_BASED.bit()));
        assertThat(bench.hca.lastRegion().virtualAddress()).isZero();

        done(change(RegionChange.ACCESS, 0, 0, WRITE));

        assertThat(bench.hca.lastRegion().virtualAddress()).isEqualTo(0x10000);
    }

    @Test
    void refusesBadRequestsWithoutAnyEffect() {
        Session other = bench.session(2, Map.of());
        SessionObjects foreign = SessionObjects.create(bench, other, DataPathKind.BYPASS);
        long context = bench.context(session, DataPathKind.BYPASS);
        long pdElsewhere = bench.pd(session, context);
        FakeMachine.Counters before = bench.machine.counters();
        Map<QuotaKind, Long> used = ExecutorBench.used(session);
        RegionInit region = bench.hca.lastRegion();
        FrameRun one = bench.frames(session, 40, 1);
        int move = RegionChange.TRANSLATION;

        List<ControlRequest> invalid = List.of(
                change(0, own.pd(), 0, WRITE, one),
                change(8, own.pd(), 0, WRITE, one),
                change(-1, own.pd(), 0, WRITE, one),
                change(RegionChange.ACCESS, 0, 0, Access.REMOTE_WRITE.bit()),
                change(RegionChange.ACCESS, 0, 0, 1 << 20),
                change(RegionChange.PD, foreign.pd(), 0, 0),
                change(RegionChange.PD, 12345, 0, 0),
                change(RegionChange.PD, pdElsewhere, 0, 0),
                change(move, 0, 0, 0),
                change(move, 0, 1, 0, one),
                new ControlRequest.ReregisterMemory(own.region(), move, 0, -4096, 8192, 0, List.of(one)),
                new ControlRequest.ReregisterMemory(foreign.region(), move, 0, 0, 4096, 0, List.of(one)));

        assertThat(invalid)
                .allSatisfy(
                        request -> assertThat(bench.refused(session, request).status())
                                .as(request.toString())
                                .isEqualTo(VerbsStatus.EINVAL));
        assertThat(bench.refused(session, change(move, 0, 0, 0, bench.frames(other, 0, 1))))
                .extracting(ControlReply.Refused::status)
                .isEqualTo(VerbsStatus.EFAULT);
        assertThat(bench.machine.counters()).isEqualTo(before);
        assertThat(ExecutorBench.used(session)).isEqualTo(used);
        assertThat(bench.hca.lastRegion()).isSameAs(region);
    }

    @Test
    void refusesToGrowBeyondTheQuota() {
        Session small = bench.session(3, Map.of("quota.registered", "16384"));
        SessionObjects objects = SessionObjects.create(bench, small, DataPathKind.BYPASS);
        bench.done(
                small,
                SessionObjects.register(objects.pd(), bench.frames(small, 32, 2)),
                ControlReply.MemoryRegistered.class);

        ControlReply.Refused grown = bench.refused(small, moved(objects, bench.frames(small, 40, 3)));
        bench.done(small, moved(objects, bench.frames(small, 40, 2)), ControlReply.MemoryRegistered.class);

        assertThat(grown.status()).isEqualTo(VerbsStatus.EAGAIN);
        assertThat(grown.message()).contains("registered").contains("16384 of 16384");
        assertThat(small.quota().used(QuotaKind.REGISTERED)).isEqualTo(16384);
    }

    private static ControlRequest moved(SessionObjects objects, FrameRun frames) {
        return new ControlRequest.ReregisterMemory(
                objects.region(), RegionChange.TRANSLATION, 0, 0, frames.lengthBytes(), 0, List.of(frames));
    }

    @Test
    void failureAtAnyStepLeavesPinsAndQuotasAsTheyWere() {
        long pd = bench.pd(session, own.context());
        FakeMachine.Counters counters = bench.machine.counters();
        Map<QuotaKind, Long> used = ExecutorBench.used(session);
        ControlRequest request =
                change(RegionChange.TRANSLATION | RegionChange.PD, pd, 0, 0, bench.frames(session, 40, 3));
        int refusals = 0;
        for (int step = 1; step < STEPS; step++) {
            bench.faults.failCall(step);
            ControlReply reply = bench.call(session, request);
            bench.faults.none();
            if (reply instanceof ControlReply.Refused) {
                refusals++;
                assertThat(bench.machine.counters()).as("step %d", step).isEqualTo(counters);
                assertThat(ExecutorBench.used(session)).isEqualTo(used);
            } else {
                break;
            }
        }

        // Pinning, and the HCA's command.
        assertThat(refusals).isEqualTo(2);
        bench.destroy(session, ObjectKind.REGION, own.region());
        bench.destroy(session, ObjectKind.PD, pd);
    }

    @Test
    void dmaKeyReachesAllMemoryOfItsOwnDomainAndNothingElse() {
        Session other = bench.session(2, Map.of());
        FakeMachine.Counters before = bench.machine.counters();

        done(new ControlRequest.AllocateDmaKey(own.pd()));

        RegionInit init = bench.hca.lastRegion();
        FrameRun all = bench.frames(session, 0, ExecutorBench.RAM_FRAMES);
        assertThat(init.runs()).containsExactly(new MachineRun(all.firstMachineAddress(), all.lengthBytes()));
        assertThat(init.offsetInFirstRun()).isZero();
        assertThat(init.virtualAddress()).isZero();
        assertThat(init.lengthBytes()).isEqualTo(all.lengthBytes());
        assertThat(init.access()).isEqualTo(WRITE);
        assertThat(other.ram()).doesNotContainAnyElementsOf(session.ram());
        assertThat(bench.machine.counters()).isEqualTo(before);
        assertThat(session.quota().used(QuotaKind.MR)).isEqualTo(2);
        assertThat(session.quota().used(QuotaKind.REGISTERED)).isEqualTo(SessionObjects.REGION_BYTES);
    }

    @Test
    void dmaKeyIsOfTheSessionAlone() {
        Session other = bench.session(2, Map.of());
        SessionObjects foreign = SessionObjects.create(bench, other, DataPathKind.BYPASS);

        assertThat(bench.refused(session, new ControlRequest.AllocateDmaKey(foreign.pd()))
                        .status())
                .isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void dmaKeyIsNotReregistered() {
        long key = done(new ControlRequest.AllocateDmaKey(own.pd())).region();

        assertThat(bench.refused(
                                session,
                                new ControlRequest.ReregisterMemory(
                                        key, RegionChange.ACCESS, 0, 0, 0, WRITE | Access.REMOTE_READ.bit(), List.of()))
                        .status())
                .isEqualTo(VerbsStatus.EINVAL);
        bench.destroy(session, ObjectKind.REGION, key);
    }

    @Test
    void endOfTheSessionTakesAllOfItAlong() {
        done(new ControlRequest.AllocateDmaKey(own.pd()));
        done(change(RegionChange.TRANSLATION, 0, 0, 0, bench.frames(session, 40, 5)));

        int left = bench.teardown.close(session);

        assertThat(left).isZero();
        assertThat(bench.machine.counters()).isEqualTo(baseline);
        assertThat(bench.hca.live()).isEmpty();
    }
}
