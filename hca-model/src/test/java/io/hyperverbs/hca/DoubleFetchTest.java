package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A guest's second thread rewrites a request for as long as the engine serves it, again and again:
 * one piece, from one of two places, and now and then 200 pieces, which are not allowed. The second
 * piece has a key that is none. Who judges one piece and uses 200 meets that key; who reads a
 * request once never does.
 *
 * <p>{@code -Dhv.flips=1000000000} makes the long run of it.
 */
@Timeout(3600)
@Order(1)
@RunsWhenChanged
class DoubleFetchTest {
    private static final long FLIPS = Long.getLong("hv.flips", 10_000_000);
    private static final int SEGMENT_COUNT = 10;
    private static final int FIRST_ADDRESS = (int) SendWqeLayout.SGES_OFFSET;
    private static final int BYTES = 64;
    private static final int RARELY = 64;
    private static final int MAX_TURNS = 1000;

    private final HcaFixture fixture = new HcaFixture();
    private final Guest guest = fixture.guest(1);
    private final TestQp requester =
            new TestQp(fixture, guest, guest.cq(16), QpLimits.of(1, 1).withSge(4, 4), 1);
    private final TestQp peer = new TestQp(fixture, guest);
    private final Buffer from = guest.buffer(4096);
    private final Buffer to = guest.buffer(4096);
    private final MemorySegment target = fixture.memory.asSlice(to.machine(), 4096);
    private final long slot = requester.rings + requester.geometry.sendSlot(0);
    private volatile boolean stop;

    @Test
    void eachRequestIsJudgedOnce() throws InterruptedException {
        assertThat(mixes(FLIPS, Long.MAX_VALUE)).isZero();
        assertThat(fixture.counter(Counter.ENGINE_FAULTS)).isZero();
    }

    /** The same engine with its copy put where the guest writes, so that it judges in place. */
    @Test
    void aReaderThatJudgesInPlaceIsCaught() throws Exception {
        readInPlace();

        assertThat(mixes(FLIPS, 1)).isPositive();
    }

    private void readInPlace() throws ReflectiveOperationException {
        Object device = get(Hca.class, "device", fixture.hca);
        Object table = device.getClass().getMethod("qps").invoke(device);
        Qp qp = ((QpTable) table).byNumber(requester.qpn);
        set(SendQueue.class, "ownCopies", qp.sends(), fixture.memory);
        set(SendQueue.class, "ownCopy", qp.sends(), slot);
        qp.sends().closeWindow();
    }

    /**
     * How many of so many requests were done as nobody had written them; stops at {@code enough}.
     */
    private long mixes(long requests, long enough) throws InterruptedException {
        fill();
        TestQp.connect(requester, peer);
        Thread flipper = new Thread(this::flip, "flipper");
        flipper.start();
        long mixes = 0;
        try {
            for (long i = 0; i < requests && mixes < enough; i++) {
                mixes += isMix() ? 1 : 0;
            }
        } finally {
            stop = true;
            flipper.join();
        }
        return mixes;
    }

    private void fill() {
        for (int i = 0; i < 256; i++) {
            fixture.memory.set(ValueLayout.JAVA_BYTE, from.machine() + i, (byte) (i + 1));
        }
        long wqe = requester.begin(1, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED);
        SendWqeLayout.writeRemote(fixture.memory, wqe, to.address(), to.rkey());
        SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 1);
        SendWqeLayout.writeSegment(fixture.memory, wqe, 0, from.address(), BYTES, from.lkey());
        SendWqeLayout.writeSegment(fixture.memory, wqe, 1, from.address(), BYTES, ~from.lkey());
        assertThat(wqe).isEqualTo(slot);
    }

    private void flip() {
        for (int i = 0; !stop; i++) {
            short pieces = (short) (i % RARELY == 0 ? 200 : 1);
            fixture.memory.set(ValueLayout.JAVA_SHORT, slot + SEGMENT_COUNT, pieces);
            fixture.memory.set(ValueLayout.JAVA_LONG, slot + FIRST_ADDRESS, from.address() + (i & 1) * BYTES);
        }
    }

    /** Posts the request as it happens to be, and looks whether what came of it has one reading. */
    private boolean isMix() {
        MemorySegment _ = target.asSlice(0, 256).fill((byte) 0);
        requester.ring();
        WorkCompletion completion = null;
        for (int turn = 0; completion == null && turn < MAX_TURNS; turn++) {
            int _ = fixture.hca.engine().doWork(fixture.now);
            completion = requester.cq.poll();
        }
        boolean mix = switch (completion == null ? VerbsStatus.EIO : completion.status()) {
            case SUCCESS -> !isOneOfTwo();
            case LOC_QP_OP_ERR -> at(0) != 0;
            default -> true;
        };
        if (completion == null || completion.status() != VerbsStatus.SUCCESS) {
            requester.modify(QpAttributes.to(QpState.RESET));
            peer.modify(QpAttributes.to(QpState.RESET));
            requester.sends.reset();
            requester.cq.drain();
            TestQp.connect(requester, peer);
        }
        return mix;
    }

    private boolean isOneOfTwo() {
        int first = at(0);
        return (first == 1 || first == 1 + BYTES) && at(BYTES - 1) == first + BYTES - 1 && at(BYTES) == 0;
    }

    private int at(int offset) {
        return target.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
    }

    private static Object get(Class<?> type, String name, Object of) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    private static void set(Class<?> type, String name, Object of, Object value) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        field.set(of, value);
    }
}
