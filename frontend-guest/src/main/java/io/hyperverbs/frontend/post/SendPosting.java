package io.hyperverbs.frontend.post;

import io.hyperverbs.frontend.path.QpPort;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.WindowWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Fills send slots in place and publishes them as one batch. One thread at a time. */
public final class SendPosting implements SendPoster {
    private static final int CALLERS_FLAGS = SendFlags.FENCE | SendFlags.SIGNALLED | SendFlags.SOLICITED;
    private static final long NO_REQUEST = -1;

    /** No queue pair takes more. */
    static final int LARGEST_INLINE_BYTES = QueueGeometry.MAX_INLINE_BYTES;

    private final SendRing ring;
    private final MemorySegment memory;
    private final QpPort port;
    private final CachedQpState cached;
    private final int maxSegments;
    private final int maxInlineBytes;
    private final boolean datagrams;
    private final PostTrace trace;
    private final List<BoundKey> bound = new ArrayList<>();

    /** A window that this batch gives a new key, and the key it had. */
    private record BoundKey(WindowKey window, int before) {}

    private VerbsStatus mistake = VerbsStatus.SUCCESS;
    private PostMistake why = PostMistake.NONE;
    private PostMistake last = PostMistake.NONE;
    private QpState refusedIn = QpState.RESET;
    private int count;
    private int room;
    private long wqe = NO_REQUEST;
    private int segments;
    private boolean inlined;
    private boolean xrc;
    private boolean binds;

    /**
     * @param datagrams whether requests name their destination: UD
     */
    public SendPosting(
            SendRing ring,
            QpPort port,
            CachedQpState cached,
            int maxSegments,
            int maxInlineBytes,
            boolean datagrams,
            PostTrace trace) {
        this.ring = ring;
        this.memory = ring.memory();
        this.port = port;
        this.cached = cached;
        this.maxSegments = maxSegments;
        this.maxInlineBytes = maxInlineBytes;
        this.datagrams = datagrams;
        this.trace = trace;
    }

    /** Its requests are of XRC: they may name a shared receive queue. */
    public void namesSharedQueues() {
        xrc = true;
    }

    @Override
    public SendPoster sharedQueue(int srqn) {
        if (wqe == NO_REQUEST || !xrc) {
            fail(VerbsStatus.EINVAL);
        } else {
            SendWqeLayout.writeSrqn(memory, wqe, srqn);
        }
        return this;
    }

    @Override
    public SendPoster start() {
        if (binds) {
            takeKeysBack();
        }
        mistake = VerbsStatus.SUCCESS;
        why = PostMistake.NONE;
        count = 0;
        room = 0;
        wqe = NO_REQUEST;
        return this;
    }

    @Override
    public SendPoster send(long wrId, int flags) {
        begin(wrId, SendWqeLayout.OPCODE_SEND, flags);
        return this;
    }

    @Override
    public SendPoster sendWithImmediate(long wrId, int flags, int immediate) {
        if (begin(wrId, SendWqeLayout.OPCODE_SEND_WITH_IMM, flags)) {
            SendWqeLayout.writeImmediate(memory, wqe, immediate);
        }
        return this;
    }

    @Override
    public SendPoster rdmaWrite(long wrId, int flags, long remoteAddress, int rkey) {
        if (begin(wrId, SendWqeLayout.OPCODE_RDMA_WRITE, flags)) {
            SendWqeLayout.writeRemote(memory, wqe, remoteAddress, rkey);
        }
        return this;
    }

    @Override
    public SendPoster rdmaWriteWithImmediate(long wrId, int flags, long remoteAddress, int rkey, int immediate) {
        if (begin(wrId, SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM, flags)) {
            SendWqeLayout.writeRemote(memory, wqe, remoteAddress, rkey);
            SendWqeLayout.writeImmediate(memory, wqe, immediate);
        }
        return this;
    }

    @Override
    public SendPoster rdmaRead(long wrId, int flags, long remoteAddress, int rkey) {
        if (begin(wrId, SendWqeLayout.OPCODE_RDMA_READ, flags)) {
            SendWqeLayout.writeRemote(memory, wqe, remoteAddress, rkey);
        }
        return this;
    }

    @Override
    public SendPoster compareAndSwap(
            long wrId, int flags, long remoteAddress, int rkey, long expected, long replacement) {
        if (begin(wrId, SendWqeLayout.OPCODE_COMPARE_AND_SWAP, flags)) {
            SendWqeLayout.writeRemote(memory, wqe, remoteAddress, rkey);
            SendWqeLayout.writeAtomic(memory, wqe, expected, replacement);
        }
        return this;
    }

    @Override
    public SendPoster fetchAndAdd(long wrId, int flags, long remoteAddress, int rkey, long addend) {
        if (begin(wrId, SendWqeLayout.OPCODE_FETCH_AND_ADD, flags)) {
            SendWqeLayout.writeRemote(memory, wqe, remoteAddress, rkey);
            SendWqeLayout.writeAtomic(memory, wqe, addend, 0);
        }
        return this;
    }

    @Override
    public SendPoster to(int ah, int remoteQpn, int remoteQkey) {
        if (wqe == NO_REQUEST || !datagrams) {
            fail(VerbsStatus.EINVAL);
            return this;
        }
        SendWqeLayout.writeDestination(memory, wqe, ah, remoteQpn, remoteQkey);
        return this;
    }

    @Override
    public SendPoster sendWithInvalidate(long wrId, int flags, int rkey) {
        if (begin(wrId, SendWqeLayout.OPCODE_SEND_WITH_INV, flags)) {
            WindowWqeLayout.writeInvalidated(memory, wqe, rkey);
        }
        return this;
    }

    @Override
    public SendPoster localInvalidate(long wrId, int flags, int rkey) {
        if (begin(wrId, SendWqeLayout.OPCODE_LOCAL_INV, flags)) {
            WindowWqeLayout.writeInvalidated(memory, wqe, rkey);
            segments = maxSegments;
            inlined = true;
        }
        return this;
    }

    @Override
    public SendPoster bindWindow(long wrId, int flags, MemoryWindow window, int tag, WindowBinding binding) {
        if (window.type() == MemoryWindow.Type.TWO && window instanceof WindowKey key) {
            bind(wrId, flags, key, tag, binding);
        } else {
            fail(VerbsStatus.EINVAL);
        }
        return this;
    }

    /** As {@link #bindWindow}, for either type. */
    public void bind(long wrId, int flags, WindowKey window, int tag, WindowBinding binding) {
        if (begin(wrId, SendWqeLayout.OPCODE_BIND_MW, flags)) {
            int rkey = (window.rkey() & ~0xff) | (tag & 0xff);
            WindowWqeLayout.writeBind(
                    memory,
                    wqe,
                    rkey,
                    binding.region().lkey(),
                    binding.address(),
                    binding.lengthBytes(),
                    Access.mask(binding.access()));
            bound.add(new BoundKey(window, window.rkey()));
            binds = true;
            window.rkey(rkey);
            segments = maxSegments;
            inlined = true;
        }
    }

    @Override
    public SendPoster sge(int lkey, long address, int lengthBytes) {
        if (wqe == NO_REQUEST || inlined || segments >= maxSegments || lengthBytes < 0) {
            fail(
                    VerbsStatus.EINVAL,
                    wqe == NO_REQUEST || inlined
                            ? PostMistake.FORM
                            : lengthBytes < 0 ? PostMistake.LENGTH : PostMistake.SEGMENTS);
            return this;
        }
        SendWqeLayout.writeSegment(memory, wqe, segments, address, lengthBytes, lkey);
        SendWqeLayout.writeSegmentCount(memory, wqe, ++segments);
        return this;
    }

    @Override
    public SendPoster inline(MemorySegment source, long offsetBytes, int lengthBytes) {
        if (wqe == NO_REQUEST
                || inlined
                || segments > 0
                || lengthBytes < 0
                || lengthBytes > maxInlineBytes
                || offsetBytes < 0
                || offsetBytes > source.byteSize() - lengthBytes) {
            fail(VerbsStatus.EINVAL, wqe == NO_REQUEST ? PostMistake.FORM : PostMistake.INLINE);
            return this;
        }
        SendWqeLayout.writeInline(memory, wqe, source, offsetBytes, lengthBytes);
        inlined = true;
        return this;
    }

    @Override
    public VerbsStatus post() {
        VerbsStatus status = mistake;
        int posted = count;
        if (status == VerbsStatus.SUCCESS) {
            status = publish(posted);
        }
        last = status != VerbsStatus.SUCCESS && why == PostMistake.NONE ? PostMistake.REFUSED : why;
        if (binds && status == VerbsStatus.SUCCESS) {
            bound.clear();
            binds = false;
        }
        start();
        return status;
    }

    /** Why the last post was refused, in words; empty if it was not. */
    public String explain() {
        return switch (last) {
            case STATE -> "sends need RTS, the state was " + refusedIn;
            case SEGMENTS -> last.words() + ": " + maxSegments;
            case INLINE -> last.words() + ": " + maxInlineBytes;
            default -> last.words();
        };
    }

    private VerbsStatus publish(int posted) {
        if (!cached.allowsSend()) {
            why = cached.mistake();
            refusedIn = cached.state();
            return VerbsStatus.EINVAL;
        }
        if (posted == 0) {
            return VerbsStatus.SUCCESS;
        }
        return trace.isOn() ? trace.sends(ring, posted, port) : port.postSend(posted);
    }

    // Windows whose binds go nowhere have the keys of before, the first one's last.
    private void takeKeysBack() {
        for (BoundKey key : bound.reversed()) {
            key.window.rkey(key.before);
        }
        bound.clear();
        binds = false;
    }

    /** Remembers the first mistake; what is built after it goes nowhere. */
    void fail(VerbsStatus status) {
        fail(status, PostMistake.FORM);
    }

    /** The bytes of an inline request are too many, or none of this domain's. */
    void failInline() {
        fail(VerbsStatus.EINVAL, PostMistake.INLINE);
    }

    private void fail(VerbsStatus status, PostMistake reason) {
        if (mistake == VerbsStatus.SUCCESS) {
            mistake = status;
            why = reason;
        }
        wqe = NO_REQUEST;
    }

    private boolean begin(long wrId, int opcode, int flags) {
        if (mistake != VerbsStatus.SUCCESS) {
            return false;
        }
        if (count >= room) {
            room = ring.free();
            if (count >= room) {
                fail(VerbsStatus.ENOMEM, PostMistake.FULL);
                return false;
            }
        }
        wqe = ring.slot(count++);
        segments = 0;
        inlined = false;
        SendWqeLayout.writeHead(memory, wqe, wrId, opcode, flags & CALLERS_FLAGS);
        return true;
    }
}
