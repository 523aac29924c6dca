package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.Test;

/** What the responder refuses, in the order of its checks; what is flushed behind it. */
class RcErrorTest extends RcErrorFixture {
    @Test
    void atomicOnMachineMisalignedWordIsInvalidToo() {
        long machine = fixture.allocate(4096);
        HcaCommands.Keyed keyed = fixture.hca.createRegion(new HcaCommands.RegionInit(
                guestB.pd, 0x1000, 4000, 15, java.util.List.of(new MachineRun(machine, 4096)), 3));

        a.atomic(7, FETCH_ADD, bufferA, 0x1000, keyed.rkey(), 1, 0);
        fixture.run();

        expectFailure(a, VerbsStatus.REM_INV_REQ_ERR, VendorError.ATOMIC_MISALIGNED);
        assertThat(fixture.counter(Counter.ENGINE_FAULTS)).isZero();
    }

    @Test
    void responderWithoutReadDepthCallsReadsInvalid() {
        b.modify(QpAttributes.to(QpState.SQD));
        b.modify(QpAttributes.none().with(QpAttribute.MAX_DEST_RD_ATOMIC, 0));

        write(READ, bufferB.address(), BAD_KEY, 8);

        expectFailure(a, VerbsStatus.REM_INV_REQ_ERR, VendorError.READ_DEPTH);
        assertThat(fixture.events()).containsExactly(event("QP_REQ_ERR", b));
    }

    @Test
    void flushesInOrderAfterAFailure() {
        a.receive(90, bufferA, 0, 8);
        a.receive(91, bufferA, 0, 8);
        a.rdma(1, WRITE, SIGNALLED, bufferA, 8, bufferB.address(), bufferB.rkey());
        a.rdma(2, WRITE, UNSIGNALLED, bufferA, 8, bufferB.address(), BAD_KEY);
        a.send(3, UNSIGNALLED, bufferA, 0, 8);
        a.rdma(4, READ, SIGNALLED, bufferA, 8, bufferB.address(), bufferB.rkey());
        b.receive(70, bufferB, 0, 8);

        fixture.run();
        a.send(5, UNSIGNALLED, bufferA, 0, 8);
        fixture.run();

        assertThat(a.cq.drain())
                .containsExactly(
                        "RDMA_WRITE 1 SUCCESS",
                        "RDMA_WRITE 2 REM_ACCESS_ERR",
                        "SEND 3 WR_FLUSH_ERR",
                        "RDMA_READ 4 WR_FLUSH_ERR",
                        "RECV 90 WR_FLUSH_ERR",
                        "RECV 91 WR_FLUSH_ERR",
                        "SEND 5 WR_FLUSH_ERR");
        assertThat(b.cq.drain()).containsExactly("RECV 70 WR_FLUSH_ERR");
    }

    @Test
    void flushesReceivesPostedInErrWhenRungOrLater() {
        b.modify(QpAttributes.to(QpState.ERR));
        fixture.run();

        b.receive(70, bufferB, 0, 8);
        fixture.pass(2_000_000);
        b.receive(71, bufferB, 0, 8);
        guestB.doorbell.ring(b.slot);
        fixture.run();

        assertThat(b.cq.drain()).containsExactly("RECV 70 WR_FLUSH_ERR", "RECV 71 WR_FLUSH_ERR");
    }
}
