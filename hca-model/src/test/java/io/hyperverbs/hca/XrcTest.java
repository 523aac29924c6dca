package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.HcaFixture.TestCq;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.hca.layout.SrqRingLayout;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The extended reliable connection on the HCA. */
class XrcTest {
    private static final int PSN = 7;
    private static final SrqGeometry GEOMETRY = SrqGeometry.of(8, 1);

    private final HcaFixture fixture = new HcaFixture();
    private Guest sender;
    private Guest receiver;
    private int xrcd;
    private TestCq sends;
    private TestCq receives;
    private TestCq idle;
    private Buffer from;
    private Buffer into;
    private End initiator;
    private End target;
    private long ring;
    private int srqn;
    private int posted;

    /** A queue pair of XRC with its rings. */
    private final class End {
        final Guest guest;
        final int qpn;
        final int slot;
        final SendRing ring;

        End(Guest guest, int pd, QpType type, TestCq cq) {
            this.guest = guest;
            QpLimits limits = QpLimits.of(8, 0);
            QueueGeometry geometry = QueueGeometry.of(8, 0, 1, 1, 64);
            long rings = fixture.allocate(geometry.totalBytes());
            HcaCommands.Slotted made = fixture.hca.createQp(
                    new HcaCommands.QpInit(guest.uar, pd, type, cq.number, cq.number, rings, limits, 1));
            assertThat(made.status()).isEqualTo(VerbsStatus.SUCCESS);
            qpn = made.number();
            slot = made.slot();
            ring = new SendRing(fixture.memory, rings, geometry);
        }

        VerbsStatus modify(QpAttributes attributes) {
            return fixture.hca.modifyQp(qpn, attributes).status();
        }

        QpState state() {
            return fixture.hca.queryQp(qpn).state();
        }

        void post(long wrId, int opcode, int named, int lengthBytes, long remote, int rkey) {
            long wqe = ring.slot(0);
            SendWqeLayout.writeHead(fixture.memory, wqe, wrId, opcode, SIGNALLED);
            SendWqeLayout.writeRemote(fixture.memory, wqe, remote, rkey);
            SendWqeLayout.writeSrqn(fixture.memory, wqe, named);
            SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 1);
            SendWqeLayout.writeSegment(fixture.memory, wqe, 0, from.address(), lengthBytes, from.lkey());
            ring.publish(1);
            guest.doorbell.ring(slot);
        }

        void send(long wrId, int named, int lengthBytes) {
            post(wrId, SendWqeLayout.OPCODE_SEND, named, lengthBytes, 0, 0);
        }
    }

    @BeforeEach
    void connect() {
        sender = fixture.guest(1);
        receiver = fixture.guest(2);
        xrcd = fixture.hca.openXrcd(2).number();
        sends = sender.cq(32);
        receives = receiver.cq(32);
        idle = receiver.cq(1);
        from = sender.buffer(1 << 18);
        into = receiver.buffer(1 << 18);
        srqn = queue(xrcd, receives).number();
        initiator = new End(sender, sender.pd, QpType.XRC_SEND, sends);
        target = new End(receiver, xrcd, QpType.XRC_RECV, idle);
        target.modify(QpAttributes.toInit(HcaFixture.ALL_REMOTE));
        target.modify(QpAttributes.toRtr(new Endpoint(1, initiator.qpn, PSN, 0, 0, 0)));
        initiator.modify(QpAttributes.toInit(HcaFixture.ALL_REMOTE));
        initiator.modify(initiatorToRtr());
        initiator.modify(QpAttributes.toRts(PSN).with(QpAttribute.RETRY_CNT, 1).with(QpAttribute.TIMEOUT, 8));
        assertThat(initiator.state()).isEqualTo(QpState.RTS);
        assertThat(target.state()).isEqualTo(QpState.RTR);
    }

    private QpAttributes initiatorToRtr() {
        return QpAttributes.toRtr(new Endpoint(1, target.qpn, 0, 0, 0, 0))
                .without(QpAttribute.MAX_DEST_RD_ATOMIC)
                .without(QpAttribute.MIN_RNR_TIMER);
    }

    private HcaCommands.Numbered queue(int domain, TestCq cq) {
        ring = fixture.allocate(GEOMETRY.totalBytes());
        return fixture.hca.createSrq(new HcaCommands.SrqInit(receiver.uar, receiver.pd, ring, 8, 1, domain, cq.number));
    }

    private void receive(long wrId, int lengthBytes) {
        long wqe = ring + GEOMETRY.slot(posted);
        ReceiveWqeLayout.writeHead(fixture.memory, wqe, wrId);
        ReceiveWqeLayout.writeSegmentCount(fixture.memory, wqe, 1);
        ReceiveWqeLayout.writeSegment(fixture.memory, wqe, 0, into.address(), lengthBytes, into.lkey());
        SrqRingLayout.producerIndexRelease(fixture.memory, ring, ++posted);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1, 0xffffff, Integer.MIN_VALUE})
    void refusesNumbersThatAreNoQueue(int named) {
        receive(50, 64);

        initiator.send(1, named, 8);
        fixture.run();

        assertThat(sends.drain()).containsExactly("SEND 1 REM_INV_REQ_ERR");
        assertThat(target.state()).isEqualTo(QpState.ERR);
        assertThat(receives.poll()).isNull();
        assertThat(fixture.events()).contains("QP_REQ_ERR " + target.qpn);
    }

    @Test
    void neverRunsWhatAGuestWritesIntoTheRingOfATarget() {
        QpAttributes toRts =
                QpAttributes.to(QpState.RTS).with(QpAttribute.SQ_PSN, 0).with(QpAttribute.TIMEOUT, 8);
        assertThat(target.modify(toRts)).isEqualTo(VerbsStatus.SUCCESS);

        target.post(9, SendWqeLayout.OPCODE_RDMA_WRITE, srqn, 8, from.address(), from.rkey());
        fixture.run();

        assertThat(target.state()).isEqualTo(QpState.ERR);
        assertThat(idle.drain()).containsExactly("RDMA_WRITE 9 LOC_QP_OP_ERR");
    }

    @Test
    void forgetsAQueueThatIsDestroyedInTheMiddleOfAMessage() {
        receive(50, 1 << 17);
        initiator.send(1, srqn, 1 << 17);
        int _ = fixture.hca.engine().doWork(fixture.now);
        long bytes = CqHeaderLayout.totalBytes(32);
        MemorySegment cqMemory = fixture.memory.asSlice(receives.ringAddress, bytes);

        assertThat(fixture.hca.destroySrq(srqn)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.destroyCq(receives.number)).isEqualTo(VerbsStatus.SUCCESS);
        byte[] before = cqMemory.toArray(ValueLayout.JAVA_BYTE);
        initiator.send(2, srqn, 8);
        fixture.run();
        target.modify(QpAttributes.to(QpState.ERR));
        fixture.run();

        assertThat(cqMemory.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
        assertThat(idle.poll()).isNull();
        assertThat(fixture.hca.destroyQp(target.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.closeXrcd(xrcd)).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void domainAndQueueLiveAsLongAsTheyAreUsed() {
        assertThat(fixture.hca.closeXrcd(xrcd)).isEqualTo(VerbsStatus.EBUSY);
        assertThat(fixture.hca.destroyCq(receives.number)).isEqualTo(VerbsStatus.EBUSY);
        fixture.hca.destroyQp(target.qpn);
        assertThat(fixture.hca.closeXrcd(xrcd)).isEqualTo(VerbsStatus.EBUSY);

        assertThat(fixture.hca.destroySrq(srqn)).isEqualTo(VerbsStatus.SUCCESS);

        assertThat(fixture.hca.closeXrcd(xrcd)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.destroyCq(receives.number)).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void refusesDomainsAndQueuesOfAnotherGuest() {
        int foreign = fixture.hca.openXrcd(1).number();

        assertThat(queue(foreign, receives).status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(queue(xrcd, sends).status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(queue(0, receives).status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(queue(9999, receives).status()).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void aDomainOfEitherKindIsNoneOfTheOther() {
        assertThat(queue(receiver.pd, receives).status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(fixture.hca.deallocatePd(xrcd)).isEqualTo(VerbsStatus.ENOENT);
        assertThat(fixture.hca.closeXrcd(receiver.pd)).isEqualTo(VerbsStatus.ENOENT);
        assertThat(fixture.hca.allocateWindow(xrcd, MemoryWindow.Type.ONE).status())
                .isEqualTo(VerbsStatus.EINVAL);
        assertThat(fixture.hca.createAh(xrcd, AddressAttributes.of(1)).status()).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void theNumberOfTheQueueHasItsPlaceInEachRequest() {
        MemorySegment wqe = MemorySegment.ofArray(new long[8]);
        SendWqeLayout.writeHead(wqe, 0, 1, SendWqeLayout.OPCODE_SEND, SendFlags.NONE);
        SendWqeLayout.writeSrqn(wqe, 0, 0xabcdef);
        assertThat(wqe.get(ValueLayout.JAVA_INT_UNALIGNED, 32)).isEqualTo(0xabcdef);

        SendWqeLayout.writeHead(wqe, 0, 1, SendWqeLayout.OPCODE_FETCH_AND_ADD, SendFlags.NONE);
        SendWqeLayout.writeAtomic(wqe, 0, -1, -1);
        SendWqeLayout.writeSrqn(wqe, 0, 0xabcdef);
        assertThat(wqe.get(ValueLayout.JAVA_INT_UNALIGNED, 28)).isEqualTo(0xabcdef);
        assertThat(SendWqeLayout.srqn(wqe, 0)).isEqualTo(0xabcdef);
        assertThat(SendWqeLayout.expectedOrAddend(wqe, 0)).isEqualTo(-1);
    }
}
