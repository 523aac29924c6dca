package io.hyperverbs.frontend.post;

import io.hyperverbs.frontend.memory.GuestRam;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The readable tier: writes records by way of the posters, so both tiers behave alike. An
 * unfinished batch of the poster is forgotten.
 */
public final class RecordPosting {
    private final GuestRam ram;

    /**
     * @param ram where the bytes of requests with {@link SendFlags#INLINE} lie
     */
    public RecordPosting(GuestRam ram) {
        this.ram = ram;
    }

    /** Posts all or none. */
    public VerbsStatus post(SendPosting poster, List<? extends SendWorkRequest> requests) {
        poster.start();
        for (SendWorkRequest request : requests) {
            begin(poster, request);
            if ((request.flags() & SendFlags.INLINE) != 0) {
                inline(poster, request.segments());
            } else {
                for (Sge sge : request.segments()) {
                    poster.sge(sge.lkey(), sge.address(), sge.lengthBytes());
                }
            }
        }
        return poster.post();
    }

    /** Posts all or none. */
    public static VerbsStatus post(ReceivePoster poster, List<ReceiveWorkRequest> requests) {
        poster.start();
        for (ReceiveWorkRequest request : requests) {
            poster.receive(request.wrId());
            for (Sge sge : request.segments()) {
                poster.sge(sge.lkey(), sge.address(), sge.lengthBytes());
            }
        }
        return poster.post();
    }

    private static void begin(SendPosting poster, SendWorkRequest request) {
        switch (request) {
            case SendWorkRequest.Send r -> poster.send(r.wrId(), r.flags());
            case SendWorkRequest.Xrc r -> {
                begin(poster, r.request());
                poster.sharedQueue(r.srqn());
            }
            case SendWorkRequest.SendWithImmediate r -> poster.sendWithImmediate(r.wrId(), r.flags(), r.immediate());
            case SendWorkRequest.SendTo r -> poster.send(r.wrId(), r.flags()).to(r.ah(), r.remoteQpn(), r.remoteQkey());
            case SendWorkRequest.SendToWithImmediate r ->
                poster.sendWithImmediate(r.wrId(), r.flags(), r.immediate()).to(r.ah(), r.remoteQpn(), r.remoteQkey());
            case SendWorkRequest.RdmaWrite r -> poster.rdmaWrite(r.wrId(), r.flags(), r.remoteAddress(), r.rkey());
            case SendWorkRequest.RdmaWriteWithImmediate r ->
                poster.rdmaWriteWithImmediate(r.wrId(), r.flags(), r.remoteAddress(), r.rkey(), r.immediate());
            case SendWorkRequest.RdmaRead r -> poster.rdmaRead(r.wrId(), r.flags(), r.remoteAddress(), r.rkey());
            case SendWorkRequest.CompareAndSwap r ->
                poster.compareAndSwap(r.wrId(), r.flags(), r.remoteAddress(), r.rkey(), r.expected(), r.replacement());
            case SendWorkRequest.FetchAndAdd r ->
                poster.fetchAndAdd(r.wrId(), r.flags(), r.remoteAddress(), r.rkey(), r.addend());
            case SendWorkRequest.SendWithInvalidate r -> poster.sendWithInvalidate(r.wrId(), r.flags(), r.rkey());
            case SendWorkRequest.LocalInvalidate r -> poster.localInvalidate(r.wrId(), r.flags(), r.rkey());
            case SendWorkRequest.BindWindow r ->
                poster.bindWindow(r.wrId(), r.flags(), r.window(), r.tag(), r.binding());
        }
    }

    /** {@code ibv_bind_mw}: a bind to the next key, in a batch of its own. */
    public static VerbsStatus bind(SendPosting poster, long wrId, int flags, WindowKey window, WindowBinding binding) {
        if (binding.access().contains(Access.ZERO_BASED)) {
            return VerbsStatus.EINVAL;
        }
        poster.start();
        poster.bind(wrId, flags, window, MemoryWindow.nextKey(window.rkey()), binding);
        return poster.post();
    }

    /** The pieces one after another, copied now; no key is looked at. */
    private void inline(SendPosting poster, List<Sge> segments) {
        MemorySegment payload = gather(segments);
        if (payload == null) {
            poster.failInline();
        } else {
            poster.inline(payload, 0, Math.toIntExact(payload.byteSize()));
        }
    }

    private @Nullable MemorySegment gather(List<Sge> segments) {
        long total = 0;
        for (Sge sge : segments) {
            if (sge.lengthBytes() < 0) {
                return null;
            }
            total += sge.lengthBytes();
        }
        if (total > SendPosting.LARGEST_INLINE_BYTES) {
            return null;
        }
        MemorySegment payload = MemorySegment.ofArray(new byte[(int) total]);
        long offset = 0;
        for (Sge sge : segments) {
            MemorySegment piece = ram.at(sge.address(), sge.lengthBytes());
            if (piece == null) {
                return null;
            }
            payload.asSlice(offset).copyFrom(piece);
            offset += sge.lengthBytes();
        }
        return payload;
    }
}
