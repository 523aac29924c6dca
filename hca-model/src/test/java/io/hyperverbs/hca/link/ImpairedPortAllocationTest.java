package io.hyperverbs.hca.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hyperverbs.hca.layout.LinkContextLayout.Field;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What a packet costs on an impaired link: no memory of the heap. */
class ImpairedPortAllocationTest extends ImpairedPortFixture {
    private static final int RECEIVES = 50_000;

    /** Two buffers of two datagrams each time, of two links. */
    private static final class Steady implements PacketArrivals {
        private final MemorySegment memory = Arena.ofAuto().allocate(4 * BYTES, 64);

        @Override
        public MemorySegment arrived() {
            return memory;
        }

        @Override
        public int receive(long nowNanos) {
            return 2;
        }

        @Override
        public long offset(int i) {
            return 2L * i * BYTES;
        }

        @Override
        public int lengthBytes(int i) {
            return 2 * BYTES;
        }

        @Override
        public int segmentBytes(int i) {
            return BYTES;
        }

        @Override
        public int sourceAddress(int i) {
            return i == 0 ? FakeArrivals.SOURCE : OTHER;
        }

        @Override
        public int sourcePort(int i) {
            return 4791;
        }

        @Override
        public int destinationAddress(int i) {
            return FakeArrivals.ADDRESS;
        }

        @Override
        public int trafficClass(int i) {
            return ECN_CAPABLE;
        }
    }

    private long receiveMany() {
        long packets = 0;
        for (int i = 0; i < RECEIVES; i++) {
            packets += port.receive(now);
            now += 2_000;
        }
        return packets;
    }

    @Test
    void noPacketAllocates() {
        open("loss=1% duplicate=1% corrupt=1% reorder=1% delay=20us jitter=10us rate=10Gbit ecn=1KiB-64KiB");
        set(OTHER, "delay=5us");
        set(Links.WHOLE_PORT, "rate=20Gbit queue=256KiB");
        port = links.impair(new Steady(), PORT);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        receiveMany();
        long before = threads.getThreadAllocatedBytes(thread);

        long packets = receiveMany();

        long allocated = threads.getThreadAllocatedBytes(thread) - before;
        assertThat(packets).isGreaterThan(RECEIVES);
        assertThat(allocated).as("bytes for %d packets", packets).isLessThan(packets / 4);
        assertThat(count(Field.DELAY_DROPS)).isZero();
    }
}
