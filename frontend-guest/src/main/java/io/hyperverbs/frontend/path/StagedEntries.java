package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.FilledRing;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Takes filled slots out of a staging ring and sends them, in as few messages as they fit in. */
final class StagedEntries {
    /** Sends entries; as {@link ForwardedChannel#postSend} of one queue. */
    interface Lane {
        VerbsStatus post(int count, byte[] entries);
    }

    private StagedEntries() {}

    /**
     * Sends the next {@code count} slots. What is refused counts as not posted, as does all after
     * it.
     */
    static VerbsStatus send(FilledRing ring, int strideBytes, int count, Lane channel) {
        int atOnce = ForwardedChannel.MAX_ENTRY_BYTES / strideBytes;
        for (int left = count; left > 0; ) {
            int now = Math.min(left, atOnce);
            byte[] entries = new byte[now * strideBytes];
            for (int i = 0; i < now; i++) {
                MemorySegment.copy(
                        ring.memory(), ValueLayout.JAVA_BYTE, ring.slot(i), entries, i * strideBytes, strideBytes);
            }
            // Before they leave: a completion may be back before the call is.
            ring.publish(now);
            VerbsStatus status = channel.post(now, entries);
            if (status != VerbsStatus.SUCCESS) {
                ring.publish(-now);
                return status;
            }
            left -= now;
        }
        return VerbsStatus.SUCCESS;
    }
}
