package io.hyperverbs.frontend.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Posters, polling and events against a real HCA. */
class BypassDataPathTest {
    private DriverFixture fixture;
    private WorkCompletion[] completions;

    @BeforeEach
    void setUp() throws VerbsException {
        fixture = new DriverFixture().open();
        completions = new WorkCompletion[64];
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
    }

    @Test
    void writesIntoPeersBuffer() throws VerbsException {
        RcQueuePair qp = fixture.pair(QpLimits.of(4, 4))[0];
        fixture.region.buffer().set(ValueLayout.JAVA_LONG, 0, 0x1122334455667788L);

        VerbsStatus status = qp.sends()
                .start()
                .rdmaWrite(7, SendFlags.SIGNALLED, fixture.region.address() + 4096, fixture.region.rkey())
                .sge(fixture.region.lkey(), fixture.region.address(), 8)
                .post();
        fixture.control.turn();

        assertThat(status).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.cq.poll(completions)).isEqualTo(1);
        assertThat(completions[0].wrId()).isEqualTo(7);
        assertThat(completions[0].status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(completions[0].opcode()).isEqualTo(WorkCompletion.Opcode.RDMA_WRITE);
        assertThat(completions[0].qpn()).isEqualTo(qp.qpn());
        assertThat(fixture.region.buffer().get(ValueLayout.JAVA_LONG, 4096)).isEqualTo(0x1122334455667788L);
        assertThat(fixture.cq.poll(completions)).isZero();
    }

    @Test
    void carriesRecordsOfEveryKind() throws VerbsException {
        RcQueuePair[] pair = fixture.pair(QpLimits.of(16, 16));
        long target = fixture.region.address() + 4096;
        int rkey = fixture.region.rkey();
        List<Sge> eight = List.of(fixture.region.sge(0, 8));
        assertThat(pair[1].postReceive(List.of(
                        new ReceiveWorkRequest(90, List.of(fixture.region.sge(1024, 64))),
                        new ReceiveWorkRequest(91, List.of(fixture.region.sge(2048, 64))),
                        new ReceiveWorkRequest(92, List.of()))))
                .isEqualTo(VerbsStatus.SUCCESS);
        int flags = SendFlags.SIGNALLED;

        VerbsStatus status = pair[0].postSend(List.of(
                new SendWorkRequest.Send(1, flags, eight),
                new SendWorkRequest.SendWithImmediate(2, flags | SendFlags.INLINE, eight, 0xabcd),
                new SendWorkRequest.RdmaWrite(3, flags, eight, target, rkey),
                new SendWorkRequest.RdmaWriteWithImmediate(4, flags, eight, target, rkey, 0x1234),
                new SendWorkRequest.RdmaRead(5, flags, eight, target, rkey),
                new SendWorkRequest.CompareAndSwap(6, flags, eight, target, rkey, 0, 5),
                new SendWorkRequest.FetchAndAdd(7, flags, eight, target, rkey, 3)));
        fixture.control.turn();

        assertThat(status).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.cq.poll(completions)).isEqualTo(10);
        for (int i = 0; i < 10; i++) {
            assertThat(completions[i].status()).as(completions[i].toString()).isEqualTo(VerbsStatus.SUCCESS);
        }
        assertThat(fixture.region.buffer().get(ValueLayout.JAVA_LONG, 4096)).isEqualTo(8);
        assertThat(immediateOf(91)).isEqualTo(0xabcd);
        assertThat(immediateOf(92)).isEqualTo(0x1234);
    }

    @Test
    void refusesSendsBeforeRtsAndReceivesInReset() throws VerbsException {
        RcQueuePair qp = fixture.pd.createRc(QpLimits.of(4, 4), fixture.cq, fixture.cq);

        assertThat(qp.receives().start().receive(1).post()).isEqualTo(VerbsStatus.EINVAL);
        qp.modify(QpAttributes.toInit(DriverFixture.ALL));
        assertThat(qp.receives().start().receive(1).post()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(qp.sends().start().send(1, 0).post()).isEqualTo(VerbsStatus.EINVAL);
        qp.modify(QpAttributes.toRtr(qp.endpoint(1, fixture.region)));
        assertThat(qp.sends().start().send(1, 0).post()).isEqualTo(VerbsStatus.EINVAL);
        qp.modify(QpAttributes.toRts(1));
        assertThat(qp.sends().start().send(1, 0).post()).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void postsInErrorFlush() throws VerbsException {
        RcQueuePair qp = fixture.pair(QpLimits.of(4, 4))[0];
        qp.modify(QpAttributes.to(QpState.ERR));

        assertThat(qp.sends().start().send(5, 0).post()).isEqualTo(VerbsStatus.SUCCESS);
        fixture.control.turn();

        assertThat(fixture.cq.poll(completions)).isEqualTo(1);
        assertThat(completions[0].wrId()).isEqualTo(5);
        assertThat(completions[0].status()).isEqualTo(VerbsStatus.WR_FLUSH_ERR);
    }

    @Test
    void failedModifyLeavesTheKnownState() throws VerbsException {
        RcQueuePair qp = fixture.pair(QpLimits.of(4, 4))[0];

        assertThat(org.assertj.core.api.Assertions.catchThrowableOfType(
                                VerbsException.class, () -> qp.modify(QpAttributes.to(QpState.INIT)))
                        .status())
                .isEqualTo(VerbsStatus.EINVAL);

        assertThat(qp.sends().start().send(1, 0).post()).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void slotsComeBackOnlyWithCompletions() throws VerbsException {
        RcQueuePair qp = fixture.pair(QpLimits.of(4, 4))[0];
        for (int i = 0; i < 4; i++) {
            assertThat(write(qp, i, i == 3 ? SendFlags.SIGNALLED : 0)).isEqualTo(VerbsStatus.SUCCESS);
        }
        fixture.control.turn();
        assertThat(write(qp, 4, 0)).isEqualTo(VerbsStatus.ENOMEM);

        assertThat(fixture.cq.poll(completions)).isEqualTo(1);

        for (int i = 0; i < 4; i++) {
            assertThat(write(qp, i, 0)).isEqualTo(VerbsStatus.SUCCESS);
        }
        assertThat(write(qp, 4, 0)).isEqualTo(VerbsStatus.ENOMEM);
    }

    @Test
    void completionsFromBeforeResetFreeNothing() throws VerbsException {
        RcQueuePair[] pair = fixture.pair(QpLimits.of(4, 4));
        for (int i = 0; i < 4; i++) {
            write(pair[0], i, SendFlags.SIGNALLED);
        }
        fixture.control.turn();
        int peer = pair[1].qpn();
        pair[0].modify(QpAttributes.to(QpState.RESET));
        pair[0].connect(new io.hyperverbs.verbs.Endpoint(1, peer, 200, 0, 0, 0), 100, DriverFixture.ALL);
        write(pair[0], 50, 0);

        assertThat(fixture.cq.poll(completions)).isZero();

        assertThat(write(pair[0], 51, 0)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(write(pair[0], 52, 0)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(write(pair[0], 53, 0)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(write(pair[0], 54, 0)).isEqualTo(VerbsStatus.ENOMEM);
    }

    @Test
    void armedQueueAnnouncesOneCompletion() throws VerbsException {
        CompletionChannel channel = fixture.context.createChannel();
        CompletionQueue cq = fixture.context.createCq(16, channel);
        fixture.cq = cq;
        RcQueuePair qp = fixture.pair(QpLimits.of(4, 4))[0];
        assertThat(cq.arm(false)).isEqualTo(VerbsStatus.SUCCESS);
        fixture.control.turn();
        assertThat(channel.await(Duration.ZERO)).isEmpty();

        write(qp, 1, SendFlags.SIGNALLED);
        write(qp, 2, SendFlags.SIGNALLED);
        fixture.control.turn();

        assertThat(channel.await(Duration.ZERO)).contains(cq);
        assertThat(channel.await(Duration.ZERO)).isEmpty();
        channel.acknowledge(cq, 1);
        assertThat(cq.poll(completions)).isEqualTo(2);
    }

    @Test
    void queueWithoutChannelCannotBeArmed() {
        assertThat(fixture.cq.arm(false)).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void closedObjectsTakeNoPosts() throws VerbsException {
        RcQueuePair qp = fixture.pair(QpLimits.of(4, 4))[0];
        SendPoster poster = qp.sends();
        qp.close();

        assertThat(poster.start().send(1, 0).post()).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void postAndPollAllocateNothing() throws VerbsException {
        RcQueuePair qp = fixture.pair(QpLimits.of(16, 16))[0];
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 100_000;
        run(qp, 20_000);

        long driverBytes = 0;
        for (int i = 0; i < rounds; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            write(qp, i, SendFlags.SIGNALLED);
            driverBytes += threads.getCurrentThreadAllocatedBytes() - before;
            fixture.control.turn();
            before = threads.getCurrentThreadAllocatedBytes();
            int found = fixture.cq.poll(completions);
            driverBytes += threads.getCurrentThreadAllocatedBytes() - before;
            assertFound(found);
        }

        assertThat((double) driverBytes / rounds).isLessThan(1.0);
        int requests = fixture.control.requests.size();
        run(qp, 1000);
        assertThat(fixture.control.requests).hasSize(requests);
    }

    private void run(RcQueuePair qp, int rounds) {
        for (int i = 0; i < rounds; i++) {
            write(qp, i, SendFlags.SIGNALLED);
            fixture.control.turn();
            assertFound(fixture.cq.poll(completions));
        }
    }

    private static void assertFound(int found) {
        if (found != 1) {
            throw new AssertionError("found " + found);
        }
    }

    private VerbsStatus write(RcQueuePair qp, long wrId, int flags) {
        return qp.sends()
                .start()
                .rdmaWrite(wrId, flags, fixture.region.address() + 4096, fixture.region.rkey())
                .sge(fixture.region.lkey(), fixture.region.address(), 8)
                .post();
    }

    private int immediateOf(long wrId) {
        for (int i = 0; i < 10; i++) {
            if (completions[i].wrId() == wrId && completions[i].hasImmediate()) {
                return completions[i].immediate();
            }
        }
        throw new AssertionError("no immediate of " + wrId);
    }
}
