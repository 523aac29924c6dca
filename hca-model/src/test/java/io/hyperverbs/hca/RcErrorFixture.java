package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeEach;

/** Two queue pairs of RC in two domains, and what their errors look like. */
abstract class RcErrorFixture extends PairFixture {
    static final int WRITE = SendWqeLayout.OPCODE_RDMA_WRITE;
    static final int WRITE_IMM = SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;
    static final int READ = SendWqeLayout.OPCODE_RDMA_READ;
    static final int SEND = SendWqeLayout.OPCODE_SEND;
    static final int FETCH_ADD = SendWqeLayout.OPCODE_FETCH_AND_ADD;
    static final int UNSIGNALLED = SendFlags.NONE;
    static final int BAD_KEY = 0x1234_5678;

    RcErrorFixture() {
        super(QpType.RC, 1 << 16);
    }

    @BeforeEach
    void connect() {
        TestQp.connect(a, b);
        memory.asSlice(bufferA.machine(), bufferA.bytes()).fill((byte) 0x5a);
    }

    void write(int opcode, long remote, int rkey, int length) {
        a.rdma(7, opcode, UNSIGNALLED, bufferA, length, remote, rkey);
        fixture.run();
    }

    WorkCompletion expectFailure(TestQp qp, VerbsStatus status, VendorError vendor) {
        WorkCompletion completion = qp.cq.poll();
        assertThat(completion).as("completion of " + status).isNotNull();
        assertThat(completion.status()).isEqualTo(status);
        assertThat(completion.vendorError()).isEqualTo(vendor);
        assertThat(completion.qpn()).isEqualTo(qp.qpn);
        return completion;
    }

    void expectStates(QpState stateA, QpState stateB) {
        assertThat(a.state()).isEqualTo(stateA);
        assertThat(b.state()).isEqualTo(stateB);
    }

    void expectUntouched() {
        for (long i = 0; i < bufferB.bytes(); i++) {
            assertThat(fixture.memory.get(ValueLayout.JAVA_BYTE, bufferB.machine() + i))
                    .isZero();
        }
    }

    String event(String kind, TestQp qp) {
        return kind + " " + qp.qpn;
    }
}
