package io.hyperverbs.hca.link;

import static io.hyperverbs.hca.link.FakeArrivals.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.capture.CapturePoint;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.LinkContextLayout;
import io.hyperverbs.hca.layout.LinkContextLayout.Field;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A port behind impaired links, on time that the test sets, and what came out of it. */
abstract class ImpairedPortFixture {
    static final int PORT = 1;
    static final int OTHER = SOURCE + 1;
    static final int BYTES = 1000;
    static final int ECN_CAPABLE = 2;

    /** What came out. */
    record Seen(int number, long atNanos, int bytes, int trafficClass, int source, int flippedBits) {}

    final FakeArrivals network = new FakeArrivals();
    private MemorySegment memory;
    Links links;
    ImpairedPort port;
    long now = 1_000_000_000;
    final List<Seen> seen = new ArrayList<>();

    final void open() {
        int[] counts = ContextMemoryLayout.counts(Map.of(Table.LINK, Links.MOST));
        memory = Arena.ofAuto().allocate(ContextMemoryLayout.totalBytes(counts), 4096);
        ContextMemoryLayout.format(memory, 0, counts);
        ContextMemory contexts = new ContextMemory(memory, 0);
        links = new Links(contexts, new CapturePoint());
        port = links.impair(network, PORT);
        seen.clear();
    }

    final void open(String settings) {
        open();
        set(SOURCE, settings);
    }

    final void set(int address, String settings) {
        assertThat(links.set(PORT, address, LinkSettings.of(settings))).isEqualTo(VerbsStatus.SUCCESS);
    }

    /** Takes what is there now. */
    final void take() {
        for (int count = port.receive(now); count > 0; count = port.receive(now)) {
            for (int i = 0; i < count; i++) {
                MemorySegment bytes = port.arrived().asSlice(port.offset(i), port.lengthBytes(i));
                assertThat(port.segmentBytes(i)).isEqualTo(port.lengthBytes(i));
                int flipped = 0;
                for (long at = Integer.BYTES; at < bytes.byteSize(); at++) {
                    flipped += Integer.bitCount(bytes.get(ValueLayout.JAVA_BYTE, at) & 0xff);
                }
                seen.add(new Seen(
                        bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 0),
                        now,
                        port.lengthBytes(i),
                        port.trafficClass(i),
                        port.sourceAddress(i),
                        flipped));
            }
        }
    }

    /** Lets time pass, and takes each packet when it is due. */
    final void pass(long nanos) {
        long end = now + nanos;
        take();
        for (long next = port.nanosToNext(now); next <= end - now; next = port.nanosToNext(now)) {
            now += next;
            take();
        }
        now = end;
    }

    /** Lets time pass until nothing is under way any more. */
    final void drain() {
        take();
        for (long next = port.nanosToNext(now); next != Long.MAX_VALUE; next = port.nanosToNext(now)) {
            now += next;
            take();
        }
    }

    final void sendMany(int count) {
        for (int i = 0; i < count; i++) {
            network.send(SOURCE, BYTES, 0);
            if (i % 200 == 0) {
                drain();
            }
        }
        drain();
    }

    final List<Integer> numbers() {
        return seen.stream().map(Seen::number).toList();
    }

    final long count(Counter counter) {
        return ContextMemoryLayout.counter(memory, 0, counter);
    }

    /** Of the link from SOURCE. */
    final long count(Field field) {
        for (int i = 0; i < Links.MOST; i++) {
            long entry = ContextMemoryLayout.entry(memory, 0, Table.LINK, i);
            if (ContextMemoryLayout.isInUse(memory, entry)
                    && LinkContextLayout.get(memory, entry, Field.ADDRESS) == SOURCE) {
                return LinkContextLayout.get(memory, entry, field);
            }
        }
        throw new AssertionError("no such link");
    }
}
