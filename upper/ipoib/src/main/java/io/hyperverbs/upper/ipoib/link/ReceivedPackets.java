package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.TcpJoiner;
import io.hyperverbs.verbs.ip.IpInterface;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Gives the interface what came, in its order; segments of TCP that follow each other as one packet, for which its kernel
 * does its work once. For the thread that receives.
 */
final class ReceivedPackets {
    private final IpInterface device;
    private final LinkCounters counters;
    private final TcpJoiner joiner = new TcpJoiner();

    ReceivedPackets(IpInterface device, LinkCounters counters) {
        this.device = device;
        this.counters = counters;
    }

    /** Gives a packet, before {@link #flush} at the latest; until then its bytes must stay. All are of one memory. */
    void give(MemorySegment memory, long packet, int lengthBytes) throws IOException {
        if (joiner.holds() && joiner.join(memory, packet, lengthBytes)) {
            return;
        }
        flush();
        if (!joiner.begin(memory, packet, lengthBytes)) {
            count(device.give(memory.asSlice(packet, lengthBytes)));
        }
    }

    /** Gives it what waits for another. */
    void flush() throws IOException {
        if (joiner.holds()) {
            count(device.give(joiner.end(), joiner.offload()));
        }
    }

    private void count(boolean isTaken) {
        if (!isTaken) {
            counters.count(LinkCounters.Drop.MALFORMED);
        }
    }
}
