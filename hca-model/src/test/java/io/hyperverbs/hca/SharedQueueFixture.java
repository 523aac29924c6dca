package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.BeforeEach;

/** Two queue pairs of one domain on a shared receive queue, and their peers in another. */
abstract class SharedQueueFixture {
    static final QpLimits LIMITS = QpLimits.of(64, 64).withSge(4, 4);
    static final QpLimits SHARING = QpLimits.of(64, 0).withSge(4, 1);
    static final int WRITE_IMM = SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;

    final HcaFixture fixture = new HcaFixture();
    Guest sender;
    Guest receiver;
    int srqPd;
    TestSrq srq;
    TestQp a1;
    TestQp a2;
    TestQp b1;
    TestQp b2;
    Buffer from;
    Buffer into;

    @BeforeEach
    void connect() {
        sender = fixture.guest(1);
        receiver = fixture.guest(2);
        srqPd = fixture.hca.allocatePd(2).number();
        srq = new TestSrq(fixture, receiver, srqPd, 8, 2);
        a1 = new TestQp(fixture, sender);
        a2 = new TestQp(fixture, sender);
        b1 = new TestQp(fixture, receiver, receiver.cq(64), SHARING, 1, srq.srqn);
        b2 = new TestQp(fixture, receiver, receiver.cq(64), SHARING, 1, srq.srqn);
        TestQp.connect(a1, b1);
        TestQp.connect(a2, b2);
        from = sender.buffer(1 << 18);
        into = receiver.buffer(1 << 18, srqPd, HcaFixture.ALL_REMOTE);
        fixture.memory.asSlice(from.machine(), from.bytes()).fill((byte) 0x5a);
    }

    void send(TestQp qp, long wrId) {
        qp.send(wrId, SIGNALLED, from, 0, 64);
        fixture.run();
    }

    VerbsStatus create(Guest guest, int srqn, QpLimits limits) {
        int cq = guest.cq(4).number;
        return fixture.hca
                .createQp(new HcaCommands.QpInit(
                        guest.uar, guest.pd, QpType.RC, cq, cq, fixture.allocate(1 << 16), limits, 1, srqn))
                .status();
    }
}
