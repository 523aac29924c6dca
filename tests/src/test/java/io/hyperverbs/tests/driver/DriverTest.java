package io.hyperverbs.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.frontend.memory.GuestRam;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.lab.run.inprocess.InProcessMachine;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.RegionChange;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest.Send;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.XrcInitiator;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverTest {
    private static final HcaLimits LIMITS = new HcaLimits(64, 64, 256, 64, 16, 1 << 16, 64, 8, 1, 2048);
    private static final QpLimits SMALL = QpLimits.of(2, 2).withSge(1, 1);
    private static final Set<Access> ALL =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    @TempDir
    Path folder;

    private final List<String> traced = new ArrayList<>();
    private final VerbTrace trace = new VerbTrace(new Lines(), "forwarded");
    private final WorkCompletion[] completions = new WorkCompletion[16];
    private InProcessMachine machine;
    private RefusingPath control;
    private DriverDomain domain;
    private Context context;
    private ProtectionDomain pd;
    private CompletionQueue cq;
    private MemoryRegion region;

    @BeforeEach
    void open() throws Exception {
        machine = new InProcessMachine(LIMITS, 1024, 8192, folder);
        domain = machine.add("a", 1024, Map.of("path", "bypass,forwarded"), (hypercalls, backend) -> {
            control = new RefusingPath(backend);
            return new DriverDomain(hypercalls, control, null, DataPathKind.BYPASS, trace);
        });
        context = domain.devices().getFirst().open();
        pd = context.allocatePd();
        cq = context.createCq(64, null);
        region = pd.register(domain.memory().allocate(8192, 64), ALL);
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
    }

    @AfterEach
    void close() {
        control.refuse(VerbsStatus.SUCCESS, _ -> false);
        machine.close();
    }

    /** Where the verb log goes. */
    private final class Lines implements VerbTrace.Sink {
        @Override
        public boolean take(byte[] bytes, int length) {
            return traced.add(new String(bytes, 0, length, StandardCharsets.UTF_8).strip());
        }

        @Override
        public void close() {}
    }

    private RcQueuePair[] pair(QpLimits limits) throws VerbsException {
        RcQueuePair one = pd.createRc(limits, cq, cq);
        RcQueuePair two = pd.createRc(limits, cq, cq);
        one.connect(two.endpoint(200, region), 100, ALL);
        two.connect(one.endpoint(100, region), 200, ALL);
        return new RcQueuePair[] {one, two};
    }

    private VerbsStatus write(RcQueuePair qp, long wrId, int flags) {
        return qp.sends()
                .start()
                .rdmaWrite(wrId, flags, region.address() + 4096, region.rkey())
                .sge(region.lkey(), region.address(), 8)
                .post();
    }

    private Send send(int segments) {
        Sge sge = region.sge(0, 8);
        return new Send(1, SendFlags.SIGNALLED, List.of(sge, sge).subList(0, segments));
    }

    private long freeBytes() {
        return ((GuestRam) domain.memory()).freeBytes();
    }

    @Test
    void createsAndDestroysAQueuePairInTwoStages() throws VerbsException {
        control.requests.clear();

        pd.createRc(QpLimits.of(4, 4), cq, cq).close();

        assertThat(control.requests)
                .extracting(request -> request instanceof ControlRequest.Destroy d ? d.kind() : request.getClass())
                .containsExactly(
                        ControlRequest.RegisterRing.class,
                        ControlRequest.CreateQp.class,
                        ObjectKind.QP,
                        ObjectKind.RING);
    }

    @Test
    void undoesFirstStageWhenSecondIsRefused() {
        long freeBytes = freeBytes();
        int live = control.live;
        control.refuse(
                VerbsStatus.EAGAIN, r -> r instanceof ControlRequest.CreateQp || r instanceof ControlRequest.CreateCq);

        assertThatThrownBy(() -> pd.createRc(QpLimits.of(4, 4), cq, cq)).hasMessageStartingWith("EAGAIN");
        assertThatThrownBy(() -> context.createCq(100, null)).hasMessageStartingWith("EAGAIN");

        assertThat(freeBytes()).isEqualTo(freeBytes);
        assertThat(control.live).isEqualTo(live);
    }

    @Test
    void keepsRingMemoryThatTheBackendDoesNotLetGo() throws VerbsException {
        RcQueuePair qp = pd.createRc(QpLimits.of(4, 4), cq, cq);
        long freeBytes = freeBytes();
        control.refuse(VerbsStatus.EIO, r -> r instanceof ControlRequest.Destroy d && d.kind() == ObjectKind.RING);

        assertThatThrownBy(qp::close).hasMessageStartingWith("EIO");

        assertThat(freeBytes()).isEqualTo(freeBytes);
    }

    @Test
    void failedDestroyLeavesTheObjectOpen() throws VerbsException {
        control.refuse(VerbsStatus.EIO, r -> r instanceof ControlRequest.Destroy);
        assertThatThrownBy(region::close).hasMessageStartingWith("EIO");

        control.refuse(VerbsStatus.EIO, _ -> false);
        region.close();
        pd.close();
    }

    @Test
    void refusedReregistrationLeavesTheTreeAsItWas() throws VerbsException {
        ProtectionDomain other = context.allocatePd();
        int lkey = region.lkey();
        control.refuse(VerbsStatus.EAGAIN, r -> r instanceof ControlRequest.ReregisterMemory);

        assertThatThrownBy(() -> region.reregister(RegionChange.NONE.withPd(other)))
                .hasMessageStartingWith("EAGAIN");

        assertThat(region.pd()).isSameAs(pd);
        assertThat(region.lkey()).isEqualTo(lkey);
        assertThatThrownBy(pd::close).hasMessageStartingWith("EBUSY");
        other.close();
    }

    @Test
    void keepsABufferWhileARegionCoversAnyOfIt() throws VerbsException {
        var memory = domain.memory();
        var first = memory.allocate(100, 64);
        var second = memory.allocate(8192, 64);
        var inFirst = pd.register(first.asSlice(64, 8), Set.of());
        var inSecond = pd.register(second.asSlice(4096), Set.of());

        assertThatThrownBy(() -> memory.free(first)).hasMessageStartingWith("EBUSY");
        inFirst.reregister(RegionChange.NONE.withBuffer(second.asSlice(0, 8)));
        memory.free(first);
        inSecond.close();
        assertThatThrownBy(() -> memory.free(second)).hasMessageStartingWith("EBUSY");
        inFirst.close();
        memory.free(second);
    }

    @Test
    void refusedRegistrationLeavesTheBufferFree() throws VerbsException {
        var buffer = domain.memory().allocate(100, 64);
        control.refuse(VerbsStatus.EAGAIN, r -> r instanceof ControlRequest.RegisterMemory);

        assertThatThrownBy(() -> pd.register(buffer, Set.of())).hasMessageStartingWith("EAGAIN");

        domain.memory().free(buffer);
    }

    @Test
    void refusesForwardedPathWithoutLink() {
        int live = control.live;

        assertThatThrownBy(() -> domain.devices().getFirst().open(DataPathKind.FORWARDED))
                .hasMessageStartingWith("ENOSYS");

        assertThat(control.live).isEqualTo(live);
    }

    @Test
    void domainClosesWhatWasLeftOpen() throws VerbsException {
        pair(QpLimits.of(4, 4));
        var _ = context.createCq(4, context.createChannel());

        domain.close();

        assertThat(control.live).isZero();
        assertThat(control.closed).isTrue();
    }

    @Test
    void completionsFromBeforeResetFreeNothing() throws VerbsException {
        RcQueuePair[] pair = pair(QpLimits.of(4, 4));
        for (int i = 0; i < 4; i++) {
            write(pair[0], i, SendFlags.SIGNALLED);
        }
        machine.clockwork().turn();
        pair[0].modify(QpAttributes.to(QpState.RESET));
        pair[0].connect(new Endpoint(context.queryPort(1).lid(), pair[1].qpn(), 200, 0, 0, 0), 100, ALL);
        write(pair[0], 50, 0);

        assertThat(cq.poll(completions)).isZero();

        for (int i = 51; i < 54; i++) {
            assertThat(write(pair[0], i, 0)).isEqualTo(VerbsStatus.SUCCESS);
        }
        assertThat(write(pair[0], 54, 0)).isEqualTo(VerbsStatus.ENOMEM);
    }

    @Test
    void postAndPollAllocateNothingAndAskNobody() throws VerbsException {
        RcQueuePair qp = pair(QpLimits.of(16, 16))[0];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int warmUp = 20_000;
        int rounds = 100_000;
        int requests = control.requests.size();

        long driverBytes = 0;
        for (int i = -warmUp; i < rounds; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            write(qp, i, SendFlags.SIGNALLED);
            long posted = threads.getCurrentThreadAllocatedBytes();
            machine.clockwork().turn();
            long turned = threads.getCurrentThreadAllocatedBytes();
            int found = cq.poll(completions);
            driverBytes += i < 0 ? 0 : posted - before + threads.getCurrentThreadAllocatedBytes() - turned;
            if (found != 1) {
                throw new AssertionError("found " + found);
            }
        }

        assertThat((double) driverBytes / rounds).isLessThan(1.0);
        assertThat(control.requests).hasSize(requests);
    }

    /** A refused post says why: EINVAL alone stands for a state and for a size. */
    @Test
    void aRefusedPostNamesTheStateThatItMet() throws VerbsException {
        RcQueuePair qp = pd.createRc(SMALL, cq, cq);

        assertThat(qp.explainPost()).isEmpty();
        assertThat(qp.postSend(send(1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost()).isEqualTo("sends need RTS, the state was RESET");
        assertThat(qp.postReceive(new ReceiveWorkRequest(1, List.of()))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost())
                .isEqualTo("send: sends need RTS, the state was RESET;"
                        + " receive: receives need INIT, the state was RESET");
        qp.modify(QpAttributes.toInit(Set.of()));
        assertThat(qp.explainPost())
                .as("the state at the post, not the present one")
                .endsWith("receives need INIT, the state was RESET");
        qp.close();
        assertThat(qp.postSend(send(1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost()).startsWith("send: the queue pair is closed;");
    }

    @Test
    void aRefusedPostNamesTheLimitUntilOneIsTaken() throws VerbsException {
        RcQueuePair qp = pair(SMALL)[0];

        assertThat(qp.postSend(send(2))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost()).isEqualTo("more SGEs than the queue pair was created for: 1");
        assertThat(qp.postSend(send(1))).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(qp.explainPost()).isEmpty();
        assertThat(qp.postSend(List.of(send(1), send(1), send(1)))).isEqualTo(VerbsStatus.ENOMEM);
        assertThat(qp.explainPost()).startsWith("the queue is full");
        assertThat(qp.postReceive(new ReceiveWorkRequest(1, send(2).segments())))
                .isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost()).contains("; receive: more SGEs");
    }

    @Test
    void anXrcInitiatorExplainsItselfToo() throws VerbsException {
        XrcInitiator qp = pd.createXrcInitiator(SMALL, cq);

        assertThat(qp.postReceive(new ReceiveWorkRequest(1, List.of()))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost()).isEqualTo("receives come from a shared receive queue");
    }

    @Test
    void verbLogSaysWhichVerbsAreForwardedAndWhichBypass() throws VerbsException {
        trace.turn(true);
        RcQueuePair qp = pd.createRc(QpLimits.of(4, 4), cq, cq);
        qp.connect(qp.endpoint(5, region), 5, Set.of(Access.REMOTE_WRITE));
        var _ = qp.postReceive(new ReceiveWorkRequest(4, List.of(region.sge(0, 64))));
        var _ = qp.postSend(List.of(send(1), send(1)));
        qp.sends().start().sge(1, 2, 3).post();
        machine.clockwork().turn();
        cq.poll(completions);
        cq.poll(completions);

        String time = "\\d\\d:\\d\\d:\\d\\d\\.\\d{6} ";
        for (String line : List.of(
                "create_qp\\(.*\\) = qp 0x[0-9a-f]{6} <X> forwarded",
                "post_recv\\(qp=0x[0-9a-f]{6}, wr_id=4, 64\\) = 0 <X> bypass",
                "post_send\\(qp=0x[0-9a-f]{6}, wr_id=1, SEND, 8, \\+1 more\\) = 0 <X> bypass",
                "poll_cq\\(cq=\\d+, 16\\) = \\d <X> bypass")) {
            assertThat(traced)
                    .filteredOn(one -> one.matches(time + line.replace("X", "\\d+\\.\\d\\dus")))
                    .hasSize(1);
        }
        assertThat(traced).allMatch(one -> one.endsWith(" forwarded") || one.endsWith(" bypass"), "last word");
    }
}
