package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;

/** Writes of whole buffers over a connected queue pair, as many under way as it may have; each has to succeed. */
final class SteadyWrites {
    private final TestQp qp;
    private final Buffer from;
    private final Buffer to;
    private final int mostUnderWay;
    private final WorkCompletion completion = new WorkCompletion();
    private int underWay;

    /** Of the writes that completed; whoever measures may set it back. */
    long bytes;

    SteadyWrites(TestQp qp, Buffer from, Buffer to, int mostUnderWay) {
        this.qp = qp;
        this.from = from;
        this.to = to;
        this.mostUnderWay = mostUnderWay;
    }

    /** Takes what is complete and posts as many again. */
    void go() {
        while (qp.cq.ring.hasNext()) {
            qp.sends.freeUpTo(qp.cq.ring.sqHead());
            assertThat(qp.cq.take(completion)).isTrue();
            assertThat(completion.status()).isEqualTo(VerbsStatus.SUCCESS);
            underWay--;
            bytes += from.bytes();
        }
        while (underWay < mostUnderWay) {
            qp.rdma(
                    1,
                    SendWqeLayout.OPCODE_RDMA_WRITE,
                    TestQp.SIGNALLED,
                    from,
                    (int) from.bytes(),
                    to.address(),
                    to.rkey());
            underWay++;
        }
    }
}
