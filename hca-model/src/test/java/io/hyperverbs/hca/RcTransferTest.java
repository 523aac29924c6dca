package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What good transfers leave behind where a program does not see it: runs of frames, PSNs, slots. */
class RcTransferTest extends PairFixture {
    RcTransferTest() {
        super(QpType.RC, 1 << 20);
    }

    @BeforeEach
    void connect() {
        TestQp.connect(a, b);
        fill();
    }

    @Test
    void copiesAcrossRunsOfScatteredRegions() {
        long one = fixture.allocate(4096);
        long gap = fixture.allocate(4096);
        long two = fixture.allocate(8192);
        HcaCommands.Keyed keyed = fixture.hca.createRegion(new HcaCommands.RegionInit(
                guestB.pd,
                0x10000 + 100,
                12288 - 100,
                15,
                List.of(new MachineRun(two, 8192), new MachineRun(one, 4096)),
                100));

        a.rdma(7, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, bufferA, 9000, 0x10000 + 200, keyed.rkey());
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
        long first = 8192 - 200;
        long from = bufferA.machine();
        assertThat(memory.asSlice(two + 200, first).mismatch(memory.asSlice(from, first)))
                .isEqualTo(-1);
        assertThat(memory.asSlice(one, 9000 - first).mismatch(memory.asSlice(from + first, 9000 - first)))
                .isEqualTo(-1);
        assertThat(memory.asSlice(gap, 4096).mismatch(fixture.zeros(4096))).isEqualTo(-1);
    }

    @Test
    void completesOnlySignalledRequestsAndFreesTheirPredecessors() {
        for (int i = 0; i < 3; i++) {
            a.rdma(
                    i,
                    SendWqeLayout.OPCODE_RDMA_WRITE,
                    i == 2 ? SIGNALLED : SendFlags.NONE,
                    bufferA,
                    8,
                    bufferB.address(),
                    bufferB.rkey());
        }
        fixture.run();

        assertThat(a.cq.ring.sqHead()).isEqualTo(3);
        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 2 SUCCESS");
    }

    @Test
    void advancesBothPsnsByPacketsAndWraps() {
        a.rdma(1, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, bufferA, 2048 * 3 + 1, bufferB.address(), bufferB.rkey());
        fixture.run();

        assertThat(fixture.hca.queryQp(a.qpn).get(QpAttribute.SQ_PSN)).isEqualTo(2);
        assertThat(fixture.hca.queryQp(b.qpn).get(QpAttribute.RQ_PSN)).isEqualTo(2);
    }

    @Test
    void connectsTwoQueuePairsOfOneContext() {
        TestQp one = new TestQp(fixture, guestA, a.cq, io.hyperverbs.verbs.QpLimits.of(8, 8), 1);
        TestQp two = new TestQp(fixture, guestA, a.cq, io.hyperverbs.verbs.QpLimits.of(8, 8), 1);
        TestQp.connect(one, two);
        two.receive(70, bufferA, 4096, 64);

        one.send(7, SIGNALLED, bufferA, 0, 64);
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("RECV 70 SUCCESS", "SEND 7 SUCCESS");
    }
}
