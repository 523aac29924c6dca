package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.WindowWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.util.Set;

/** Post, engine and poll on one thread: whatever any of them allocates is counted. */
class AllocationTest {
    private static final int MESSAGES = 100_000;

    private final HcaFixture fixture = new HcaFixture();
    private final Guest guest = fixture.guest(1);
    private final TestQp a = new TestQp(fixture, guest);
    private final TestQp b = new TestQp(fixture, guest);
    private final Buffer from = guest.buffer(4096);
    private final Buffer to = guest.buffer(4096);
    private final WorkCompletion completion = new WorkCompletion();
    private final HcaEvent event = new HcaEvent();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void noMessageAllocates(int opcode) {
        TestQp.connect(a, b);
        carry(opcode, MESSAGES);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long before = threads.getThreadAllocatedBytes(thread);

        carry(opcode, MESSAGES);

        long allocated = threads.getThreadAllocatedBytes(thread) - before;
        assertThat(allocated).as("bytes for " + MESSAGES + " messages").isLessThan(MESSAGES);
    }

    @Test
    void neitherBindNorInvalidationAllocates() {
        TestQp.connect(a, b);
        HcaCommands.Windowed window = fixture.hca.allocateWindow(guest.pd, MemoryWindow.Type.TWO);
        Buffer bindable = guest.buffer(4096, guest.pd, Set.of(Access.LOCAL_WRITE, Access.MW_BIND));
        int rkey = bindAndEnd(bindable, window.rkey(), MESSAGES / 2);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long before = threads.getThreadAllocatedBytes(thread);

        bindAndEnd(bindable, rkey, MESSAGES / 2);

        long allocated = threads.getThreadAllocatedBytes(thread) - before;
        assertThat(allocated).as("bytes for " + MESSAGES + " requests").isLessThan(MESSAGES);
    }

    /** Binds, and ends by a request of the window's own side and of the peer in turns. */
    private int bindAndEnd(Buffer region, int lastKey, int times) {
        int rkey = lastKey;
        for (int i = 0; i < times; i++) {
            rkey = MemoryWindow.nextKey(rkey);
            long bind = b.begin(i, SendWqeLayout.OPCODE_BIND_MW, SendFlags.SIGNALLED);
            SendWqeLayout.writeSegmentCount(fixture.memory, bind, 0);
            WindowWqeLayout.writeBind(
                    fixture.memory, bind, rkey, region.lkey(), region.address(), 64, 2);
            b.ring();
            int _ = fixture.hca.engine().doWork(fixture.now);
            take(b);
            boolean remotely = (i & 1) == 0;
            TestQp ends = remotely ? a : b;
            if (remotely) {
                b.receive(i, to, 0, 64);
            }
            long wqe =
                    ends.begin(
                            i,
                            remotely
                                    ? SendWqeLayout.OPCODE_SEND_WITH_INV
                                    : SendWqeLayout.OPCODE_LOCAL_INV,
                            SendFlags.SIGNALLED);
            SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 0);
            WindowWqeLayout.writeInvalidated(fixture.memory, wqe, rkey);
            ends.ring();
            int _ = fixture.hca.engine().doWork(fixture.now);
            fixture.now += 100;
            take(ends);
            if (remotely) {
                take(b);
            }
        }
        return rkey;
    }

    private void carry(int opcode, int messages) {
        boolean receives =
                opcode == SendWqeLayout.OPCODE_SEND
                        || opcode == SendWqeLayout.OPCODE_SEND_WITH_IMM
                        || opcode == SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;
        for (int i = 0; i < messages; i++) {
            if (receives) {
                b.receive(i, to, 0, 64);
            }
            // Every fourth is armed for, so that events are counted too.
            if ((i & 3) == 0) {
                a.cq.arm(false);
            }
            a.rdma(i, opcode, SendFlags.SIGNALLED, from, 8, to.address(), to.rkey());
            int _ = fixture.hca.engine().doWork(fixture.now);
            fixture.now += 100;
            if (receives) {
                take(b);
            }
            take(a);
            while (fixture.hca.poll(event)) {
                fixture.interrupts = 0;
            }
        }
    }

    private void take(TestQp qp) {
        if (!qp.cq.ring.hasNext()) {
            throw new AssertionError("no completion");
        }
        qp.cq.ring.read(completion);
        qp.cq.ring.advance();
        qp.cq.ring.publishConsumer();
        if (completion.status() != VerbsStatus.SUCCESS) {
            throw new AssertionError(completion.toString());
        }
    }
}
