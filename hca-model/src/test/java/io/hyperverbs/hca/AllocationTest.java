package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.WindowWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.management.ManagementFactory;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Post, engine and poll on one thread: whatever any of them allocates is counted. */
class AllocationTest {
    private static final int MESSAGES = 100_000;
    private static final int QKEY = 0x11;
    private static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 0x1234);
    private static final int GROUP_LID = 0xc001;

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

        assertAllocatesNothing(() -> carry(a, b, opcode, MESSAGES));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 5})
    void noMessageThatIsCapturedAllocates(int opcode) {
        TestQp.connect(a, b);
        long[] seen = new long[1];
        fixture.hca.capture(packet -> seen[0] += packet.lengthBytes);

        assertAllocatesNothing(() -> carry(a, b, opcode, MESSAGES));
        assertThat(seen[0]).isGreaterThan(2L * MESSAGES * 12);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void noMessageOfUcAllocates(int opcode) {
        TestQp sender = TestQp.of(QpType.UC, fixture, guest);
        TestQp receiver = TestQp.of(QpType.UC, fixture, guest);
        TestQp.connectUc(sender, receiver);

        assertAllocatesNothing(() -> carry(sender, receiver, opcode, MESSAGES));
    }

    @Test
    void nothingThatUcDropsAllocates() {
        TestQp sender = TestQp.of(QpType.UC, fixture, guest);
        TestQp receiver = TestQp.of(QpType.UC, fixture, guest);
        TestQp.connectUc(sender, receiver);

        assertAllocatesNothing(() -> {
            for (int i = 0; i < MESSAGES; i++) {
                sender.send(i, SendFlags.SIGNALLED, from, 0, 8);
                step();
                take(sender);
            }
        });
        assertThat(fixture.counter(Counter.RX_DROPPED_MESSAGES)).isEqualTo(2 * MESSAGES);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noDatagramAllocates(boolean toGroup) {
        TestQp sender = active();
        TestQp receiver = active();
        AddressAttributes address = toGroup ? AddressAttributes.ofGroup(GROUP, GROUP_LID) : AddressAttributes.of(1);
        int handle = fixture.hca.createAh(guest.pd, address).number();
        fixture.hca.attachMulticast(receiver.qpn, GROUP, GROUP_LID);
        int qpn = toGroup ? UdQueuePair.MULTICAST_QPN : receiver.qpn;

        assertAllocatesNothing(() -> {
            for (int i = 0; i < MESSAGES; i++) {
                receiver.receive(i, to, 0, 64);
                sender.datagram(i, handle, qpn, QKEY, SendFlags.SIGNALLED, from, 8);
                step();
                take(sender);
                take(receiver);
            }
        });
    }

    private TestQp active() {
        TestQp qp = TestQp.of(QpType.UD, fixture, guest);
        qp.activate(QKEY);
        return qp;
    }

    @Test
    void noReceiveOfASharedQueueAllocates() {
        TestSrq srq = new TestSrq(fixture, guest, guest.pd, 16, 1);
        TestQp receiver =
                new TestQp(fixture, guest, guest.cq(64), QpLimits.of(16, 0).withSge(1, 1), 1, srq.srqn);
        TestQp.connect(a, receiver);

        assertAllocatesNothing(() -> {
            for (int i = 0; i < MESSAGES; i++) {
                srq.receive(i, to, 0, 64);
                a.send(i, SendFlags.SIGNALLED, from, 0, 8);
                step();
                take(receiver);
                take(a);
            }
        });
    }

    /** Does it twice, and looks at the second time: less than a byte for each operation. */
    private static void assertAllocatesNothing(Runnable operations) {
        operations.run();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long before = threads.getThreadAllocatedBytes(thread);

        operations.run();

        long allocated = threads.getThreadAllocatedBytes(thread) - before;
        assertThat(allocated).as("bytes for " + MESSAGES + " operations").isLessThan(MESSAGES);
    }

    private void step() {
        int _ = fixture.hca.engine().doWork(fixture.now);
        fixture.now += 100;
    }

    @Test
    void neitherBindNorInvalidationAllocates() {
        TestQp.connect(a, b);
        HcaCommands.Windowed window = fixture.hca.allocateWindow(guest.pd, MemoryWindow.Type.TWO);
        Buffer bindable = guest.buffer(4096, guest.pd, Set.of(Access.LOCAL_WRITE, Access.MW_BIND));
        int[] rkey = {window.rkey()};

        assertAllocatesNothing(() -> rkey[0] = bindAndEnd(bindable, rkey[0], MESSAGES / 2));
    }

    /** Binds, and ends by a request of the window's own side and of the peer in turns. */
    private int bindAndEnd(Buffer region, int lastKey, int times) {
        int rkey = lastKey;
        for (int i = 0; i < times; i++) {
            rkey = MemoryWindow.nextKey(rkey);
            long bind = b.begin(i, SendWqeLayout.OPCODE_BIND_MW, SendFlags.SIGNALLED);
            SendWqeLayout.writeSegmentCount(fixture.memory, bind, 0);
            WindowWqeLayout.writeBind(fixture.memory, bind, rkey, region.lkey(), region.address(), 64, 2);
            b.ring();
            int _ = fixture.hca.engine().doWork(fixture.now);
            take(b);
            boolean remotely = (i & 1) == 0;
            TestQp ends = remotely ? a : b;
            if (remotely) {
                b.receive(i, to, 0, 64);
            }
            long wqe = ends.begin(
                    i,
                    remotely ? SendWqeLayout.OPCODE_SEND_WITH_INV : SendWqeLayout.OPCODE_LOCAL_INV,
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

    private void carry(TestQp sender, TestQp receiver, int opcode, int messages) {
        boolean receives = opcode == SendWqeLayout.OPCODE_SEND
                || opcode == SendWqeLayout.OPCODE_SEND_WITH_IMM
                || opcode == SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;
        for (int i = 0; i < messages; i++) {
            if (receives) {
                receiver.receive(i, to, 0, 64);
            }
            // Every fourth is armed for, so that events are counted too.
            if ((i & 3) == 0) {
                sender.cq.arm(false);
            }
            sender.rdma(i, opcode, SendFlags.SIGNALLED, from, 8, to.address(), to.rkey());
            step();
            if (receives) {
                take(receiver);
            }
            take(sender);
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
