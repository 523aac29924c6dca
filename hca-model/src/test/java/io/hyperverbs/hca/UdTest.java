package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Datagrams between domains: to one queue pair and to groups. */
class UdTest extends UdFixture {
    @BeforeEach
    void prepare() {
        fill();
    }

    private int groupHandle() {
        return ah(guestA, AddressAttributes.ofGroup(GROUP, GROUP_LID));
    }

    private VerbsStatus detach(TestQp qp) {
        return fixture.hca.detachMulticast(qp.qpn, GROUP, GROUP_LID);
    }

    private void sendToGroup(int handle, int length) {
        a.datagram(7, handle, UdQueuePair.MULTICAST_QPN, QKEY, SIGNALLED, bufferA, length);
        fixture.run();
    }

    private void assertCopied(long toOffset, long bytes) {
        assertThat(memory.asSlice(bufferB.machine() + toOffset, bytes)
                        .mismatch(memory.asSlice(bufferA.machine(), bytes)))
                .isEqualTo(-1);
    }

    private MemorySegment zeros() {
        return fixture.zeros(Grh.SIZE_BYTES);
    }

    @Test
    void gidOfADomainLeadsToItsQueuePairsAlone() {
        PortSettings ports = PortSettings.standard(1, 2048);
        int toA = ah(guestA, AddressAttributes.of(ports.domainGid(1)));
        int toB = ah(guestA, AddressAttributes.of(ports.domainGid(2)));
        b.receive(70, bufferB, 0, 400);

        a.datagram(1, toA, b.qpn, QKEY, SIGNALLED, bufferA, 100);
        a.datagram(2, toB, b.qpn, QKEY, SIGNALLED, bufferA, 200);
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("SEND 1 SUCCESS", "SEND 2 SUCCESS");
        WorkCompletion received = b.cq.poll();
        assertThat(received.byteCount()).isEqualTo(Grh.SIZE_BYTES + 200);
        assertThat(received.hasGrh()).isTrue();
        assertThat(Grh.destination(memory, bufferB.machine())).isEqualTo(ports.domainGid(2));
        assertThat(fixture.counter(Counter.RX_DROPPED_MESSAGES)).isEqualTo(1);
    }

    @Test
    void lidOfOnePortWithTheGidOfAnotherLeadsNowhere() {
        PortSettings ports = PortSettings.standard(1, 2048);
        int agreeing = ah(guestA, AddressAttributes.ofGroup(ports.gid(1), 1));
        int torn = ah(guestA, AddressAttributes.ofGroup(ports.gid(2), 1));
        b.receive(70, bufferB, 0, 400);

        a.datagram(1, torn, b.qpn, QKEY, SIGNALLED, bufferA, 100);
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("SEND 1 SUCCESS");
        assertThat(b.cq.drain()).isEmpty();
        assertThat(fixture.counter(Counter.RX_DROPPED_MESSAGES)).isEqualTo(1);
        a.datagram(2, agreeing, b.qpn, QKEY, SIGNALLED, bufferA, 200);
        fixture.run();
        assertThat(b.cq.poll().byteCount()).isEqualTo(Grh.SIZE_BYTES + 200);
    }

    @Test
    void refusesHandleOfAnotherDomain() {
        int foreign = ah(guestB, AddressAttributes.of(1));
        b.receive(70, bufferB, 0, 400);

        a.datagram(7, foreign, b.qpn, QKEY, SIGNALLED, bufferA, 300);
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("SEND 7 LOC_QP_OP_ERR");
        assertThat(a.state()).isEqualTo(QpState.SQE);
        assertThat(b.cq.drain()).isEmpty();
    }

    @Test
    void countsWhatItDrops() {
        int handle = ah(guestA, AddressAttributes.of(1));

        a.datagram(1, handle, b.qpn, QKEY, SIGNALLED, bufferA, 8);
        a.datagram(2, handle, b.qpn, QKEY + 1, SIGNALLED, bufferA, 8);
        a.datagram(3, handle, 0x77, QKEY, SIGNALLED, bufferA, 8);
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("SEND 1 SUCCESS", "SEND 2 SUCCESS", "SEND 3 SUCCESS");
        assertThat(fixture.counter(Counter.RX_DROPPED_MESSAGES)).isEqualTo(3);
        assertThat(fixture.counter(Counter.OUT_OF_BUFFER)).isEqualTo(1);
        assertThat(fixture.hca.queryPort(1).qkeyViolations()).isEqualTo(1);
    }

    @Test
    void dropsWhilePortIsDown() {
        b.receive(70, bufferB, 0, 400);
        fixture.hca.setPort(1, false);

        a.datagram(7, ah(guestA, AddressAttributes.of(1)), b.qpn, QKEY, SIGNALLED, bufferA, 8);
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        assertThat(b.cq.drain()).isEmpty();
    }

    @Test
    void reachesMembersInEveryDomain() {
        attach(a);
        attach(b);
        a.receive(60, bufferA, 4096, 2048);
        b.receive(70, bufferB, 0, 2048);

        sendToGroup(groupHandle(), 300);

        assertThat(a.cq.drain()).containsExactlyInAnyOrder("SEND 7 SUCCESS", "RECV 60 SUCCESS");
        WorkCompletion received = b.cq.poll();
        assertThat(received.hasGrh()).isTrue();
        assertThat(Grh.destination(memory, bufferB.machine())).isEqualTo(GROUP);
        assertCopied(Grh.SIZE_BYTES, 300);
    }

    @Test
    void reachesMoreMembersThanOneStepServes() {
        List<TestQp> members = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            TestQp member = active(guestB);
            attach(member);
            member.receive(i, bufferB, i * 1024L, 1024);
            members.add(member);
        }

        sendToGroup(groupHandle(), 100);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        for (int i = 0; i < members.size(); i++) {
            assertThat(members.get(i).cq.drain()).containsExactly("RECV " + i + " SUCCESS");
            assertCopied(i * 1024L + Grh.SIZE_BYTES, 100);
        }
    }

    @Test
    void keepsAttachedQueuePairs() {
        attach(b);

        assertThat(fixture.hca.destroyQp(b.qpn)).isEqualTo(VerbsStatus.EBUSY);
        assertThat(detach(b)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(detach(b)).isEqualTo(VerbsStatus.EINVAL);
        assertThat(fixture.hca.destroyQp(b.qpn)).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void answersWhenTheTablesAreFull() {
        for (int i = 0; i < HcaFixture.LIMITS.maxMulticast(); i++) {
            assertThat(fixture.hca.attachMulticast(b.qpn, GROUP, GROUP_LID + i).status())
                    .isEqualTo(VerbsStatus.SUCCESS);
        }
        for (int i = 0; i < HcaFixture.LIMITS.maxAh(); i++) {
            int _ = ah(guestA, AddressAttributes.of(1));
        }

        assertThat(fixture.hca.attachMulticast(b.qpn, GROUP, 0xc100).status()).isEqualTo(VerbsStatus.ENOMEM);
        assertThat(fixture.hca.attachMulticast(a.qpn, GROUP, GROUP_LID).status())
                .isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.createAh(guestA.pd, AddressAttributes.of(1)).status())
                .isEqualTo(VerbsStatus.ENOMEM);
    }

    @Test
    void keepsPdWithHandles() {
        HcaFixture.Guest guest = fixture.guest(3);
        int handle = ah(guest, AddressAttributes.of(1));

        assertThat(fixture.hca.deallocatePd(guest.pd)).isEqualTo(VerbsStatus.EBUSY);
        assertThat(fixture.hca.destroyAh(handle)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.destroyAh(handle)).isEqualTo(VerbsStatus.ENOENT);
        assertThat(fixture.hca.deallocatePd(guest.pd)).isEqualTo(VerbsStatus.SUCCESS);
    }
}
