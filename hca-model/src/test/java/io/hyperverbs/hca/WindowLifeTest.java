package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.WindowWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What windows, regions, PDs and queue pairs do to each other, and what happens mid-copy. */
class WindowLifeTest {
    private static final int WRITE = SendWqeLayout.OPCODE_RDMA_WRITE;
    private static final int LENGTH = 1 << 20;
    private static final int RIGHTS = Access.REMOTE_WRITE.bit() | Access.REMOTE_READ.bit();

    private final HcaFixture fixture = new HcaFixture(64 << 20, HcaFixture.LIMITS);
    private final Guest guestA = fixture.guest(1);
    private final Guest guestB = fixture.guest(2);
    private final TestQp a = new TestQp(fixture, guestA);
    private final TestQp b = new TestQp(fixture, guestB);
    private final Buffer from = guestA.buffer(LENGTH);
    private final Buffer to =
            guestB.buffer(LENGTH, guestB.pd, Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MW_BIND));

    @BeforeEach
    void connect() {
        TestQp.connect(a, b);
        fixture.memory.asSlice(from.machine(), LENGTH).fill((byte) 1);
    }

    private HcaCommands.Windowed allocate(MemoryWindow.Type type) {
        HcaCommands.Windowed window = fixture.hca.allocateWindow(guestB.pd, type);
        assertThat(window.status()).isEqualTo(VerbsStatus.SUCCESS);
        return window;
    }

    private void postBind(int rkey) {
        long wqe = b.begin(1, SendWqeLayout.OPCODE_BIND_MW, SIGNALLED);
        SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 0);
        WindowWqeLayout.writeBind(fixture.memory, wqe, rkey, to.lkey(), to.address(), LENGTH, RIGHTS);
        b.ring();
    }

    private void postInvalidate(int rkey) {
        long wqe = b.begin(2, SendWqeLayout.OPCODE_LOCAL_INV, SIGNALLED);
        SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 0);
        WindowWqeLayout.writeInvalidated(fixture.memory, wqe, rkey);
        b.ring();
    }

    /** A key of a window over all of the target. */
    private int bound(HcaCommands.Windowed window) {
        int rkey = MemoryWindow.nextKey(window.rkey());
        postBind(rkey);
        fixture.run();
        assertThat(b.cq.drain()).containsExactly("BIND_MW 1 SUCCESS");
        return rkey;
    }

    private VerbsStatus write(int rkey) {
        a.rdma(7, WRITE, SIGNALLED, from, 8, to.address(), rkey);
        fixture.run();
        return a.cq.poll().status();
    }

    private long landed() {
        long count = 0;
        for (long i = 0; i < LENGTH; i++) {
            count += fixture.memory.get(ValueLayout.JAVA_BYTE, to.machine() + i);
        }
        return count;
    }

    private void expectRevoked(long landedBefore, int rkey) {
        assertThat(landed()).isEqualTo(landedBefore).isPositive().isLessThan(LENGTH);
        WorkCompletion failed = a.cq.poll();
        assertThat(failed.status()).isEqualTo(VerbsStatus.REM_ACCESS_ERR);
        assertThat(failed.vendorError()).isEqualTo(VendorError.REVOKED);
        assertThat(failed.faultKey()).isEqualTo(rkey);
        assertThat(b.state()).isEqualTo(QpState.ERR);
    }

    private void beginLongWrite(int rkey) {
        a.rdma(7, WRITE, SIGNALLED, from, LENGTH, to.address(), rkey);
        fixture.hca.engine().doWork(fixture.now);
        assertThat(a.cq.poll()).isNull();
    }

    @Test
    void noByteLandsAfterTheWindowWasInvalidatedMidCopy() {
        int rkey = bound(allocate(MemoryWindow.Type.TWO));
        beginLongWrite(rkey);

        postInvalidate(rkey);
        long before = -1;
        for (int turn = 0; b.cq.drain().isEmpty(); turn++) {
            assertThat(turn).isLessThan(LENGTH >> 16);
            fixture.hca.engine().doWork(fixture.now);
            before = landed();
        }
        fixture.run();

        expectRevoked(before, rkey);
    }

    /** Neither a bind nor an invalidation has payload, wherever it says it is. */
    @ParameterizedTest
    @CsvSource({"0, true", "1, false", "1, true", "65535, false"})
    void requestsWithPayloadAreRefusedAndChangeNothing(int segments, boolean inline) {
        int rkey = bound(allocate(MemoryWindow.Type.TWO));
        long wqe = b.begin(3, SendWqeLayout.OPCODE_LOCAL_INV, SIGNALLED | (inline ? SendFlags.INLINE : 0));
        SendWqeLayout.writeSegmentCount(fixture.memory, wqe, segments);
        WindowWqeLayout.writeInvalidated(fixture.memory, wqe, rkey);
        b.ring();
        fixture.run();

        WorkCompletion refused = b.cq.poll();
        assertThat(refused.status()).isEqualTo(VerbsStatus.LOC_QP_OP_ERR);
        assertThat(refused.vendorError()).isEqualTo(VendorError.TOO_MANY_SEGMENTS);
        assertThat(b.state()).isEqualTo(QpState.ERR);
    }

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    void noByteLandsAfterTheWindowWasDestroyedMidCopy(MemoryWindow.Type type) {
        HcaCommands.Windowed window = allocate(type);
        int rkey = bound(window);
        beginLongWrite(rkey);
        long before = landed();

        assertThat(fixture.hca.deallocateWindow(window.window())).isEqualTo(VerbsStatus.SUCCESS);
        fixture.run();

        expectRevoked(before, rkey);
        assertThat(fixture.hca.destroyRegion(to.region())).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void noByteLandsAfterTheRegionWasRegisteredAnewMidCopy() {
        beginLongWrite(to.rkey());
        long before = landed();

        HcaCommands.Keyed anew =
                fixture.hca.reregisterRegion(to.region(), init(guestB.pd, Access.REMOTE_WRITE, to.machine()));
        fixture.run();

        assertThat(anew.status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(anew.region()).isEqualTo(to.region());
        expectRevoked(before, to.rkey());
    }

    private HcaCommands.RegionInit init(int pd, Access right, long machine) {
        return new HcaCommands.RegionInit(
                pd,
                to.address(),
                LENGTH,
                Access.LOCAL_WRITE.bit() | right.bit(),
                List.of(new MachineRun(machine, LENGTH)),
                0);
    }

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    void boundRegionIsBusyUntilItsLastWindowIsGone(MemoryWindow.Type type) {
        HcaCommands.Windowed one = allocate(type);
        HcaCommands.Windowed two = allocate(type);
        int first = bound(one);
        bound(two);
        HcaCommands.RegionInit init = init(guestB.pd, Access.REMOTE_READ, to.machine());

        assertThat(fixture.hca.destroyRegion(to.region())).isEqualTo(VerbsStatus.EBUSY);
        assertThat(fixture.hca.reregisterRegion(to.region(), init).status()).isEqualTo(VerbsStatus.EBUSY);
        assertThat(write(first)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(write(to.rkey())).isEqualTo(VerbsStatus.SUCCESS);
        fixture.hca.deallocateWindow(one.window());
        assertThat(fixture.hca.destroyRegion(to.region())).isEqualTo(VerbsStatus.EBUSY);
        fixture.hca.deallocateWindow(two.window());

        assertThat(fixture.hca.destroyRegion(to.region())).isEqualTo(VerbsStatus.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void windowsOfAQueuePairEndWithIt(boolean destroyed) {
        int ofQp = bound(allocate(MemoryWindow.Type.TWO));
        int ofAll = bound(allocate(MemoryWindow.Type.ONE));
        b.modify(QpAttributes.to(QpState.ERR));
        assertThat(fixture.hca.destroyRegion(to.region())).isEqualTo(VerbsStatus.EBUSY);

        if (destroyed) {
            assertThat(fixture.hca.destroyQp(b.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        } else {
            b.modify(QpAttributes.to(QpState.RESET));
        }

        TestQp other = new TestQp(fixture, guestB);
        a.modify(QpAttributes.to(QpState.RESET));
        a.sends.reset();
        a.cq.drain();
        TestQp.connect(a, other);
        assertThat(write(ofAll)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(write(ofQp)).isEqualTo(VerbsStatus.REM_ACCESS_ERR);
        assertThat(fixture.hca.destroyRegion(to.region())).isEqualTo(VerbsStatus.EBUSY);
    }

    @Test
    void pdWithWindowsIsBusy() {
        int pd = fixture.hca.allocatePd(2).number();
        HcaCommands.Windowed window = fixture.hca.allocateWindow(pd, MemoryWindow.Type.ONE);

        assertThat(fixture.hca.deallocatePd(pd)).isEqualTo(VerbsStatus.EBUSY);
        fixture.hca.deallocateWindow(window.window());

        assertThat(fixture.hca.deallocatePd(pd)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.deallocateWindow(window.window())).isEqualTo(VerbsStatus.ENOENT);
        assertThat(fixture.hca.allocateWindow(pd, MemoryWindow.Type.ONE).status())
                .isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void reregistrationMovesTheRegionToAnotherPd() {
        int pd = fixture.hca.allocatePd(2).number();
        HcaCommands.Keyed anew = fixture.hca.reregisterRegion(to.region(), init(pd, Access.REMOTE_WRITE, to.machine()));

        assertThat(fixture.hca.deallocatePd(pd)).isEqualTo(VerbsStatus.EBUSY);
        assertThat(write(anew.rkey())).isEqualTo(VerbsStatus.REM_ACCESS_ERR);
        assertThat(fixture.hca.destroyRegion(to.region())).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.deallocatePd(pd)).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void refusedReregistrationLeavesTheKeysAsTheyWere() {
        for (HcaCommands.RegionInit bad : List.of(
                init(0, Access.REMOTE_WRITE, to.machine()),
                init(99, Access.REMOTE_WRITE, to.machine()),
                init(guestB.pd, Access.REMOTE_WRITE, fixture.memory.byteSize()),
                init(guestB.pd, Access.REMOTE_WRITE, -4096))) {
            assertThat(fixture.hca.reregisterRegion(to.region(), bad).status()).isEqualTo(VerbsStatus.EINVAL);
        }
        assertThat(fixture.hca
                        .reregisterRegion(255, init(guestB.pd, Access.REMOTE_READ, to.machine()))
                        .status())
                .isEqualTo(VerbsStatus.ENOENT);

        assertThat(write(to.rkey())).isEqualTo(VerbsStatus.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(ints = {SendWqeLayout.OPCODE_BIND_MW, SendWqeLayout.OPCODE_LOCAL_INV})
    void hostileFormsFailTheRequesterAlone(int opcode) {
        for (int segments : new int[] {1, 4, 0x7fff, 0xffff}) {
            b.modify(QpAttributes.to(QpState.RESET));
            a.modify(QpAttributes.to(QpState.RESET));
            b.sends.reset();
            b.cq.drain();
            TestQp.connect(a, b);
            long wqe = b.begin(1, opcode, 0);
            SendWqeLayout.writeSegmentCount(fixture.memory, wqe, segments);
            b.ring();
            fixture.run();

            assertThat(b.cq.poll().status()).isEqualTo(VerbsStatus.LOC_QP_OP_ERR);
            assertThat(a.state()).isEqualTo(QpState.RTS);
        }
    }
}
