package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one side of a ping-pong has of the device. One thread. */
final class PingPongEnd implements AutoCloseable {
    static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE);
    private static final int PAGE_BYTES = 4096;

    private final Domain domain;
    private final int depth;
    private final boolean events;
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final RcQueuePair qp;
    private @Nullable MemoryRegion registered;

    /** A queue pair in RESET. */
    PingPongEnd(Domain domain, Context context, int depth, boolean events) throws VerbsException {
        this.domain = domain;
        this.depth = depth;
        this.events = events;
        pd = context.allocatePd();
        channel = context.createChannel();
        cq = context.createCq(depth + 1, events ? channel : null);
        qp = pd.createRc(QpLimits.of(1, depth), cq, cq);
    }

    RcQueuePair qp() {
        return qp;
    }

    /** Memory for messages, once; closing frees it. */
    MemoryRegion register(int sizeBytes) throws VerbsException {
        MemorySegment buffer = domain.memory().allocate(sizeBytes, PAGE_BYTES);
        MemoryRegion region = pd.register(buffer, RIGHTS);
        registered = region;
        return region;
    }

    MessageExchange exchange(Terms.Agreed agreed, MemoryRegion region) {
        return new MessageExchange(agreed, new MessageExchange.Link(qp, cq, channel), region, depth, events);
    }

    @Override
    public void close() throws VerbsException {
        qp.close();
        cq.close();
        channel.close();
        MemoryRegion region = registered;
        if (region != null) {
            MemorySegment buffer = region.buffer();
            region.close();
            domain.memory().free(buffer);
        }
        pd.close();
    }
}
