package io.hyperverbs.verbs;

import java.util.List;

/** A send request of the readable tier ({@code ibv_send_wr}); one record per opcode. */
public sealed interface SendWorkRequest {
    /** The caller's number, given back in the completion. */
    long wrId();

    /** {@link SendFlags}. */
    int flags();

    /** Local memory: source of sends and writes, target of reads and atomics. */
    List<Sge> segments();

    /** {@code IBV_WR_SEND}. */
    record Send(long wrId, int flags, List<Sge> segments) implements SendWorkRequest {
        public Send {
            segments = List.copyOf(segments);
        }
    }

    /** {@code IBV_WR_SEND_WITH_IMM}. */
    record SendWithImmediate(long wrId, int flags, List<Sge> segments, int immediate) implements SendWorkRequest {
        public SendWithImmediate {
            segments = List.copyOf(segments);
        }
    }

    /** {@code IBV_WR_SEND} of UD; the destination as {@link SendPoster#to} takes it. */
    record SendTo(long wrId, int flags, List<Sge> segments, int ah, int remoteQpn, int remoteQkey)
            implements SendWorkRequest {
        public SendTo {
            segments = List.copyOf(segments);
        }
    }

    /** {@code IBV_WR_SEND_WITH_IMM} of UD. */
    record SendToWithImmediate(
            long wrId, int flags, List<Sge> segments, int ah, int remoteQpn, int remoteQkey, int immediate)
            implements SendWorkRequest {
        public SendToWithImmediate {
            segments = List.copyOf(segments);
        }
    }

    /** {@code IBV_WR_RDMA_WRITE}. */
    record RdmaWrite(long wrId, int flags, List<Sge> segments, long remoteAddress, int rkey)
            implements SendWorkRequest {
        public RdmaWrite {
            segments = List.copyOf(segments);
        }
    }

    /** {@code IBV_WR_RDMA_WRITE_WITH_IMM}. */
    record RdmaWriteWithImmediate(long wrId, int flags, List<Sge> segments, long remoteAddress, int rkey, int immediate)
            implements SendWorkRequest {
        public RdmaWriteWithImmediate {
            segments = List.copyOf(segments);
        }
    }

    /** {@code IBV_WR_RDMA_READ}. */
    record RdmaRead(long wrId, int flags, List<Sge> segments, long remoteAddress, int rkey) implements SendWorkRequest {
        public RdmaRead {
            segments = List.copyOf(segments);
        }
    }

    /** {@code IBV_WR_ATOMIC_CMP_AND_SWP}: the old value lands in the 8-byte segment. */
    record CompareAndSwap(
            long wrId, int flags, List<Sge> segments, long remoteAddress, int rkey, long expected, long replacement)
            implements SendWorkRequest {
        public CompareAndSwap {
            segments = List.copyOf(segments);
        }
    }

    /** {@code IBV_WR_ATOMIC_FETCH_AND_ADD}: the old value lands in the 8-byte segment. */
    record FetchAndAdd(long wrId, int flags, List<Sge> segments, long remoteAddress, int rkey, long addend)
            implements SendWorkRequest {
        public FetchAndAdd {
            segments = List.copyOf(segments);
        }
    }

    /** {@code IBV_WR_SEND_WITH_INV}: ends the peer's window with that key. */
    record SendWithInvalidate(long wrId, int flags, List<Sge> segments, int rkey) implements SendWorkRequest {
        public SendWithInvalidate {
            segments = List.copyOf(segments);
        }
    }

    /** {@code IBV_WR_LOCAL_INV}: ends a window of type 2 of this queue pair. */
    record LocalInvalidate(long wrId, int flags, int rkey) implements SendWorkRequest {
        @Override
        public List<Sge> segments() {
            return List.of();
        }
    }

    /**
     * {@code IBV_WR_BIND_MW}: binds a free window of type 2; the low 8 bits of tag are its key's.
     */
    record BindWindow(long wrId, int flags, MemoryWindow window, int tag, WindowBinding binding)
            implements SendWorkRequest {
        @Override
        public List<Sge> segments() {
            return List.of();
        }
    }

    /**
     * Any request of an {@link XrcInitiator}, for a shared receive queue of the peer ({@code
     * qp_type.xrc}).
     *
     * @param srqn {@link SharedReceiveQueue#srqn} of that queue
     */
    record Xrc(int srqn, SendWorkRequest request) implements SendWorkRequest {
        @Override
        public long wrId() {
            return request.wrId();
        }

        @Override
        public int flags() {
            return request.flags();
        }

        @Override
        public List<Sge> segments() {
            return request.segments();
        }
    }
}
