package io.hyperverbs.frontend.post;

import io.hyperverbs.frontend.path.QpPort;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.AttributeText;
import io.hyperverbs.vmm.io.DataVerb;
import io.hyperverbs.vmm.io.VerbText;
import java.lang.foreign.MemorySegment;

/**
 * The posts of one queue pair in the verb log: one line a batch, which names the first request and
 * how many follow it.
 */
public final class PostTrace {
    private static final String[] OPCODES = {
        "RDMA_WRITE",
        "RDMA_WRITE_WITH_IMM",
        "SEND",
        "SEND_WITH_IMM",
        "RDMA_READ",
        "ATOMIC_CMP_AND_SWP",
        "ATOMIC_FETCH_AND_ADD",
        "LOCAL_INV",
        "BIND_MW",
        "SEND_WITH_INV"
    };

    private final VerbTrace trace;
    private final int qpn;
    private final String word;

    /**
     * @param word last word of a line: {@code bypass} or {@code forwarded}
     */
    public PostTrace(VerbTrace trace, int qpn, String word) {
        this.trace = trace;
        this.qpn = qpn;
        this.word = word;
    }

    boolean isOn() {
        return trace.isOn();
    }

    VerbsStatus sends(SendRing ring, int count, QpPort port) {
        String call = DataVerb.POST_SEND.verb() + "(qp=" + AttributeText.number24(qpn) + ", "
                + send(ring.memory(), ring.slot(0)) + more(count);
        long startNanos = System.nanoTime();
        VerbsStatus status = port.postSend(count);
        trace.log(call, VerbText.result(status), System.nanoTime() - startNanos, word);
        return status;
    }

    VerbsStatus receives(ReceiveRing ring, int count, QpPort port) {
        String call = DataVerb.POST_RECV.verb() + "(qp=" + AttributeText.number24(qpn) + ", "
                + receive(ring.memory(), ring.slot(0)) + more(count);
        long startNanos = System.nanoTime();
        VerbsStatus status = port.postReceive(count);
        trace.log(call, VerbText.result(status), System.nanoTime() - startNanos, word);
        return status;
    }

    private static String send(MemorySegment ring, long wqe) {
        long bytes = 0;
        if ((SendWqeLayout.flags(ring, wqe) & SendFlags.INLINE) != 0) {
            bytes = SendWqeLayout.inlineBytes(ring, wqe);
        } else {
            for (int i = 0; i < SendWqeLayout.segmentCount(ring, wqe); i++) {
                bytes += SendWqeLayout.segmentLengthBytes(ring, wqe, i);
            }
        }
        return "wr_id="
                + SendWqeLayout.wrId(ring, wqe)
                + ", "
                + OPCODES[SendWqeLayout.opcode(ring, wqe)]
                + ", "
                + bytes;
    }

    private static String receive(MemorySegment ring, long wqe) {
        long bytes = 0;
        for (int i = 0; i < ReceiveWqeLayout.segmentCount(ring, wqe); i++) {
            bytes += ReceiveWqeLayout.segmentLengthBytes(ring, wqe, i);
        }
        return "wr_id=" + ReceiveWqeLayout.wrId(ring, wqe) + ", " + bytes;
    }

    private static String more(int count) {
        return count == 1 ? ")" : ", +" + (count - 1) + " more)";
    }
}
