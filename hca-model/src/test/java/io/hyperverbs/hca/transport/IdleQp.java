package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.hca.tpt.Tpt;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A queue pair that no engine runs, with one request in it, written byte by byte. */
final class IdleQp {
    private static final int INLINE_BYTES_OFFSET = 28;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    final MemorySegment memory;
    final Tpt tpt;
    final Qp qp;
    private final long wqe;

    IdleQp(QpType type, QpLimits limits) {
        IdleQps qps = new IdleQps(1, limits);
        memory = qps.memory;
        tpt = qps.tpt;
        qp = qps.create(type, new DomainShare(1));
        wqe = qp.plan().ringAddress() + qp.plan().geometry().sendSlot(0);
    }

    /** Begins another request, without segments. */
    IdleQp request(int opcode, int flags) {
        SendWqeLayout.writeHead(memory, wqe, 7, opcode, flags);
        return this;
    }

    /** Says that there are so many segments, whatever the queue pair may have. */
    IdleQp segments(int count) {
        SendWqeLayout.writeSegmentCount(memory, wqe, count);
        return this;
    }

    IdleQp segment(int number, long address, int lengthBytes, int lkey) {
        SendWqeLayout.writeSegment(memory, wqe, number, address, lengthBytes, lkey);
        return this;
    }

    /** Says that there are so many bytes inline, and puts {@code bytes} there. */
    IdleQp inline(int lengthBytes, byte... bytes) {
        MemorySegment source = MemorySegment.ofArray(bytes);
        SendWqeLayout.writeInline(memory, wqe, source, 0, bytes.length);
        memory.set(INT, wqe + INLINE_BYTES_OFFSET, lengthBytes);
        return this;
    }

    /** The HCA takes its copy, of the same request again if it has one. */
    void fetch() {
        SendQueue sends = qp.sends();
        if (sends.isOutstanding()) {
            sends.retire();
            QueueGeometry geometry = qp.plan().geometry();
            long slot = qp.plan().ringAddress() + geometry.sendSlot(sends.head());
            MemorySegment.copy(memory, wqe, memory, slot, geometry.sendStrideBytes());
        }
        sends.fetch();
    }
}
