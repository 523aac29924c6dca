package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;

/** Two queue pairs of a guest on one HCA with writes between them, and how many are done. */
final class BusyGuest {
    final TestQp from;
    final TestQp to;
    final Buffer source;
    final Buffer destination;
    final WorkCompletion completion = new WorkCompletion();
    long done;

    BusyGuest(HcaFixture hca, Guest guest) {
        from = new TestQp(hca, guest);
        to = new TestQp(hca, guest);
        source = guest.buffer(4096);
        destination = guest.buffer(4096);
        TestQp.connect(from, to);
    }

    void fill() {
        for (int i = 0; i < 32; i++) {
            post();
        }
    }

    private void post() {
        from.rdma(
                done,
                SendWqeLayout.OPCODE_RDMA_WRITE,
                TestQp.SIGNALLED,
                source,
                64,
                destination.address(),
                destination.rkey());
    }

    void take() {
        while (from.cq.take(completion)) {
            assertThat(completion.status()).isEqualTo(VerbsStatus.SUCCESS);
            done++;
            post();
        }
    }
}
