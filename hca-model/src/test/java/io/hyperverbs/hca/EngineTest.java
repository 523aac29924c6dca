package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Long copies in chunks, what may happen between two of them, and shares of the engine. */
class EngineTest extends PairFixture {
    private static final int WRITE = SendWqeLayout.OPCODE_RDMA_WRITE;
    private static final int LENGTH = 4 << 20;

    EngineTest() {
        super(new HcaFixture(64 << 20, HcaFixture.LIMITS), QpType.RC, LENGTH);
    }

    private long landed(Buffer buffer) {
        fixture.memory.asSlice(bufferA.machine(), LENGTH).fill((byte) 1);
        long count = 0;
        for (long i = 0; i < buffer.bytes(); i++) {
            count += fixture.memory.get(ValueLayout.JAVA_BYTE, buffer.machine() + i);
        }
        return count;
    }

    private void begin(int opcode) {
        fixture.memory.asSlice(bufferA.machine(), LENGTH).fill((byte) 1);
        TestQp.connect(a, b);
        a.rdma(7, opcode, SIGNALLED, bufferA, LENGTH, bufferB.address(), bufferB.rkey());
        fixture.hca.engine().doWork(fixture.now);
    }

    @Test
    void cutsALongCopyIntoChunks() {
        begin(WRITE);

        long first = landed(bufferB);
        assertThat(first).isPositive().isLessThan(LENGTH).isEqualTo(first & -65536);
        assertThat(a.cq.poll()).isNull();
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
        assertThat(landed(bufferB)).isEqualTo(LENGTH);
    }

    @Test
    void noByteLandsAfterTheTargetWasDeregistered() {
        begin(WRITE);
        long before = landed(bufferB);

        assertThat(fixture.hca.destroyRegion(bufferB.region())).isEqualTo(VerbsStatus.SUCCESS);
        fixture.run();

        assertThat(landed(bufferB)).isEqualTo(before);
        WorkCompletion failed = a.cq.poll();
        assertThat(failed.status()).isEqualTo(VerbsStatus.REM_ACCESS_ERR);
        assertThat(failed.vendorError()).isEqualTo(VendorError.REVOKED);
        assertThat(failed.faultKey()).isEqualTo(bufferB.rkey());
        assertThat(b.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void noByteLeavesAfterTheSourceWasDeregistered() {
        begin(WRITE);
        long before = landed(bufferB);

        assertThat(fixture.hca.destroyRegion(bufferA.region())).isEqualTo(VerbsStatus.SUCCESS);
        fixture.run();

        assertThat(landed(bufferB)).isEqualTo(before);
        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 LOC_PROT_ERR");
        assertThat(b.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void noByteLandsInAReceiveThatWasDeregistered() {
        fixture.memory.asSlice(bufferA.machine(), LENGTH).fill((byte) 1);
        TestQp.connect(a, b);
        b.receive(70, bufferB, 0, LENGTH);
        a.send(7, SIGNALLED, bufferA, 0, LENGTH);
        fixture.hca.engine().doWork(fixture.now);
        long before = landed(bufferB);
        assertThat(before).isPositive();

        fixture.hca.destroyRegion(bufferB.region());
        fixture.run();

        assertThat(landed(bufferB)).isEqualTo(before);
        assertThat(a.cq.drain()).containsExactly("SEND 7 REM_OP_ERR");
        assertThat(b.cq.drain()).containsExactly("RECV 70 LOC_PROT_ERR");
    }

    @Test
    void aPeerDestroyedMidCopyIsSilent() {
        begin(WRITE);
        long before = landed(bufferB);

        fixture.hca.destroyQp(b.qpn);
        fixture.run();
        for (int i = 0; i < 3; i++) {
            fixture.pass(5_000_000);
        }

        assertThat(landed(bufferB)).isEqualTo(before);
        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 RETRY_EXC_ERR");
    }

    @Test
    void aPeerThatLivesAgainGetsTheWholeMessage() {
        fixture.memory.asSlice(bufferA.machine(), LENGTH).fill((byte) 1);
        TestQp.connect(a, b);
        b.receive(70, bufferB, 0, LENGTH);
        a.send(7, SIGNALLED, bufferA, 0, LENGTH);
        fixture.hca.engine().doWork(fixture.now);

        b.modify(QpAttributes.to(QpState.RESET));
        b.receives.reset();
        b.init(HcaFixture.ALL_REMOTE);
        b.rtr(a);
        fixture.memory.asSlice(bufferB.machine(), LENGTH).fill((byte) 0);
        b.receive(71, bufferB, 0, LENGTH);
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        assertThat(b.cq.drain()).containsExactly("RECV 71 SUCCESS");
        assertThat(landed(bufferB)).isEqualTo(LENGTH);
    }

    @Test
    void movingToErrMidCopyCompletesTheRequestOnce() {
        begin(WRITE);

        a.modify(QpAttributes.to(QpState.ERR));
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 WR_FLUSH_ERR");
        assertThat(b.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void rightsOfTheResponderTakeEffectBetweenMessages() {
        TestQp.connect(a, b);
        a.rdma(7, WRITE, SIGNALLED, bufferA, 8, bufferB.address(), bufferB.rkey());
        fixture.run();
        b.modify(QpAttributes.none().with(QpAttribute.ACCESS_FLAGS, 0));

        a.rdma(8, WRITE, SIGNALLED, bufferA, 8, bufferB.address(), bufferB.rkey());
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS", "RDMA_WRITE 8 REM_INV_REQ_ERR");
    }

    @Test
    void aShortMessageDoesNotWaitForALongCopy() {
        Guest hogGuest = fixture.guest(3);
        TestQp hog = new TestQp(fixture, hogGuest);
        TestQp hogPeer = new TestQp(fixture, hogGuest);
        TestQp.connect(hog, hogPeer);
        TestQp.connect(a, b);
        Buffer large = hogGuest.buffer(LENGTH);
        for (int i = 0; i < 8; i++) {
            hog.rdma(i, WRITE, SIGNALLED, large, LENGTH, large.address(), large.rkey());
        }
        fixture.hca.engine().doWork(fixture.now);

        a.rdma(7, WRITE, SIGNALLED, bufferA, 8, bufferB.address(), bufferB.rkey());
        fixture.hca.engine().doWork(fixture.now);

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
        assertThat(hog.cq.poll()).isNull();
    }

    @Test
    void domainsShareByWeight() {
        Guest heavyGuest = fixture.guest(3);
        QpLimits limits = QpLimits.of(64, 1);
        TestQp light = new TestQp(fixture, guestA, guestA.cq(256), limits, 1);
        TestQp heavy = new TestQp(fixture, heavyGuest, heavyGuest.cq(256), limits, 3);
        connectToItself(light);
        connectToItself(heavy);
        Buffer heavyBuffer = heavyGuest.buffer(1 << 20);
        int lightDone = 0;
        int heavyDone = 0;
        for (int turn = 0; turn < 4000; turn++) {
            while (light.sends.free() > 0) {
                light.rdma(1, WRITE, SIGNALLED, bufferA, 65536, bufferA.address(), bufferA.rkey());
            }
            while (heavy.sends.free() > 0) {
                heavy.rdma(1, WRITE, SIGNALLED, heavyBuffer, 65536, heavyBuffer.address(), heavyBuffer.rkey());
            }
            fixture.hca.engine().doWork(fixture.now);
            lightDone += take(light);
            heavyDone += take(heavy);
        }

        assertThat((double) heavyDone / lightDone).isBetween(2.8, 3.2);
    }

    private static void connectToItself(TestQp qp) {
        qp.init(HcaFixture.ALL_REMOTE);
        qp.rtr(qp);
        qp.rts();
    }

    private static int take(TestQp qp) {
        int count = 0;
        while (qp.cq.ring.hasNext()) {
            qp.sends.freeUpTo(qp.cq.ring.sqHead());
            WorkCompletion completion = qp.cq.poll();
            assertThat(completion.status()).isEqualTo(VerbsStatus.SUCCESS);
            count++;
        }
        return count;
    }
}
