package io.hyperverbs.hca.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Context memory byte by byte. */
class ContextLayoutsTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 20, 4096);

    private String hex(long offset, long bytes) {
        return HexFormat.of().formatHex(memory.asSlice(offset, bytes).toArray(ValueLayout.JAVA_BYTE));
    }

    private static String ints(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(i -> String.format("%02x000000", i))
                .collect(Collectors.joining());
    }

    @Test
    void queuePairEntry() {
        long entry = 512;
        int value = 1;
        for (QpContextLayout.Field field : QpContextLayout.Field.values()) {
            QpContextLayout.set(memory, entry, field, value++);
        }

        assertThat(hex(entry, 256))
                .isEqualTo(ints(1, 10)
                        + "0b00000000000000"
                        + ints(12, 31)
                        + ints(32, 33)
                        + "2200000000000000"
                        + "2300000000000000"
                        + "2400000000000000"
                        + ints(37, 37)
                        + ints(46, 46)
                        + "2600000000000000"
                        + "2700000000000000"
                        + "2800000000000000"
                        + ints(41, 42)
                        + "2b00000000000000"
                        + "2c00000000000000"
                        + "2d00000000000000"
                        + "00".repeat(32));
        value = 1;
        for (QpContextLayout.Field field : QpContextLayout.Field.values()) {
            assertThat(QpContextLayout.get(memory, entry, field)).isEqualTo(value++);
        }
    }

    @Test
    void queuePairWithoutAReceive() {
        QpContextLayout.writeRnr(memory, 0, 3, 0x1_0000_0002L);

        assertThat(hex(160, 16)).isEqualTo("03000000000000000200000001000000");
        assertThat(QpContextLayout.get(memory, 0, QpContextLayout.Field.RNR_NAKS))
                .isEqualTo(3);
    }

    @Test
    void queuePairPositions() {
        QpContextLayout.writeSqPosition(memory, 0, 1, 2);
        QpContextLayout.writeRqPosition(memory, 0, 5, 6);
        QpContextLayout.writeTraffic(memory, 0, 3, 4, 7, 8);

        assertThat(hex(128, 32)).isEqualTo("0100000002000000030000000000000004000000000000000000000000000000");
        assertThat(hex(192, 32)).isEqualTo("0500000006000000070000000000000008000000000000000000000000000000");
        assertThat(QpContextLayout.get(memory, 0, QpContextLayout.Field.SQ_HEAD))
                .isEqualTo(1);
        assertThat(QpContextLayout.get(memory, 0, QpContextLayout.Field.RQ_PSN)).isEqualTo(6);
        assertThat(QpContextLayout.get(memory, 0, QpContextLayout.Field.SENT_BYTES))
                .isEqualTo(4);
    }

    @Test
    void completionQueueEntry() {
        int value = 1;
        for (CqContextLayout.Field field : CqContextLayout.Field.values()) {
            CqContextLayout.set(memory, 64, field, value++);
        }

        assertThat(hex(64, 64)).isEqualTo(ints(1, 6) + "0700000000000000" + ints(8, 15));
        CqContextLayout.writeProducer(memory, 64, 99);
        assertThat(CqContextLayout.get(memory, 64, CqContextLayout.Field.PRODUCER))
                .isEqualTo(99);
    }

    @Test
    void sharedReceiveQueueEntry() {
        int value = 1;
        for (SrqContextLayout.Field field : SrqContextLayout.Field.values()) {
            SrqContextLayout.set(memory, 64, field, value++);
        }

        assertThat(hex(64, 64)).isEqualTo(ints(1, 6) + "0700000000000000" + ints(8, 14) + "00000000");
        SrqContextLayout.writeHead(memory, 64, 99);
        assertThat(SrqContextLayout.get(memory, 64, SrqContextLayout.Field.HEAD))
                .isEqualTo(99);
    }

    @Test
    void regionEntry() {
        int value = 1;
        for (RegionContextLayout.Field field : RegionContextLayout.Field.values()) {
            RegionContextLayout.set(memory, 64, field, value++);
        }

        assertThat(hex(64, 64))
                .isEqualTo(ints(1, 4)
                        + "0500000000000000"
                        + "0600000000000000"
                        + ints(7, 8)
                        + "0900000000000000"
                        + ints(10, 10)
                        + "00".repeat(12));
        assertThat(RegionContextLayout.get(memory, 64, RegionContextLayout.Field.RKEY))
                .isEqualTo(8);
    }

    @Test
    void memoryWindowEntry() {
        int value = 1;
        for (MwContextLayout.Field field : MwContextLayout.Field.values()) {
            MwContextLayout.set(memory, 64, field, value++);
        }

        assertThat(hex(64, 64))
                .isEqualTo(ints(1, 8) + "0900000000000000" + "0a00000000000000" + ints(11, 11) + "00".repeat(12));
        MwContextLayout.bindRelease(memory, 64, 99);
        MwContextLayout.publishRelease(memory, 64, 0);
        assertThat(MwContextLayout.get(memory, 64, MwContextLayout.Field.REGION))
                .isEqualTo(99);
        assertThat(MwContextLayout.get(memory, 64, MwContextLayout.Field.ADDRESS))
                .isEqualTo(9);
        assertThat(ContextMemoryLayout.isInUse(memory, 64)).isFalse();
    }

    @Test
    void xrcDomainEntry() {
        int value = 1;
        for (XrcdContextLayout.Field field : XrcdContextLayout.Field.values()) {
            XrcdContextLayout.set(memory, 16, field, value++);
        }

        assertThat(hex(16, 16)).isEqualTo(ints(1, 4));
        XrcdContextLayout.publishRelease(memory, 16, 0);
        assertThat(ContextMemoryLayout.isInUse(memory, 16)).isFalse();
        assertThat(XrcdContextLayout.get(memory, 16, XrcdContextLayout.Field.TARGETS))
                .isEqualTo(4);
    }

    @Test
    void protectionDomainAndUarEntries() {
        int value = 1;
        for (PdContextLayout.Field field : PdContextLayout.Field.values()) {
            PdContextLayout.set(memory, 0, field, value++);
        }
        for (UarContextLayout.Field field : UarContextLayout.Field.values()) {
            UarContextLayout.set(memory, 64, field, value++);
        }

        assertThat(hex(0, 112))
                .isEqualTo(ints(1, 4)
                        + "00".repeat(48)
                        + ints(5, 6)
                        + "0700000000000000"
                        + ints(8, 9)
                        + "0a00000000000000"
                        + "0b00000000000000"
                        + "0c00000000000000");
    }

    @Test
    void addressHandleEntry() {
        AddressAttributes to = AddressAttributes.of(9)
                .withServiceLevel(3)
                .withRoute(new GlobalRoute(new Gid(0x0102030405060708L, 0x1112131415161718L), 0xabcde, 4, 5, 6));

        AhContextLayout.write(memory, 64, 0x123456, 7, 8, to);

        assertThat(hex(64, 64))
                .isEqualTo("5634120007000000"
                        + "0800000009000000"
                        + "0300000001000000"
                        + "0807060504030201"
                        + "1817161514131211"
                        + "debc0a0004000000"
                        + "0500000006000000"
                        + "0100000000000000");
        assertThat(AhContextLayout.port(memory, 64)).isEqualTo(1);
        assertThat(AhContextLayout.gid(memory, 64)).isEqualTo(new Gid(0x0102030405060708L, 0x1112131415161718L));
        assertThat(AhContextLayout.domain(memory, 64)).isEqualTo(7);
        assertThat(AhContextLayout.pd(memory, 64)).isEqualTo(8);
        assertThat(AhContextLayout.lid(memory, 64)).isEqualTo(9);
        AhContextLayout.clear(memory, 64);
        assertThat(AhContextLayout.number(memory, 64)).isZero();
    }

    @Test
    void addressHandleEntryWithoutRoute() {
        memory.asSlice(64, 64).fill((byte) 0xff);

        AhContextLayout.write(memory, 64, 1, 2, 3, AddressAttributes.of(4));

        assertThat(hex(64, 64)).isEqualTo(ints(1, 4) + "00".repeat(40) + "0100000000000000");
        assertThat(AhContextLayout.gid(memory, 64)).isNull();
    }

    @Test
    void multicastGroupEntry() {
        Gid group = new Gid(0xff12_0000_0000_0001L, 2);

        McgContextLayout.write(memory, 32, 3, 0xc001, group, 4);

        assertThat(hex(32, 32))
                .isEqualTo("0300000001c00000" + "01000000000012ff" + "0200000000000000" + "0400000000000000");
        assertThat(McgContextLayout.lid(memory, 32)).isEqualTo(0xc001);
        assertThat(McgContextLayout.gid(memory, 32)).isEqualTo(group);
        assertThat(McgContextLayout.queuePairs(memory, 32)).isEqualTo(4);
        McgContextLayout.clear(memory, 32);
        assertThat(ContextMemoryLayout.isInUse(memory, 32)).isFalse();
    }

    @Test
    void head() {
        int[] counts = ContextMemoryLayout.counts(Map.ofEntries(
                Map.entry(Table.QP, 3),
                Map.entry(Table.CQ, 65),
                Map.entry(Table.REGION, 1),
                Map.entry(Table.PD, 2),
                Map.entry(Table.UAR, 4),
                Map.entry(Table.SRQ, 5),
                Map.entry(Table.AH, 5),
                Map.entry(Table.MCG, 129),
                Map.entry(Table.MW, 6),
                Map.entry(Table.XRCD, 7),
                Map.entry(Table.LINK, 22)));

        ContextMemoryLayout.format(memory, 4096, counts);
        ContextMemoryLayout.writePort(memory, 4096, 7, 2048);
        ContextMemoryLayout.storeCounter(memory, 4096, Counter.OUT_OF_SEQUENCE.number(), 5);

        assertThat(hex(4096, 200))
                .isEqualTo("4856435806000000"
                        + "00f0000000000000"
                        + "0010000000000000"
                        + "0002000003000000"
                        + "0020000000000000"
                        + "4000000041000000"
                        + "0040000000000000"
                        + "4000000001000000"
                        + "0050000000000000"
                        + "1000000002000000"
                        + "0060000000000000"
                        + "8002000004000000"
                        + "0070000000000000"
                        + "4000000005000000"
                        + "0080000000000000"
                        + "4000000005000000"
                        + "00b0000000000000"
                        + "4000000006000000"
                        + "00c0000000000000"
                        + "1000000007000000"
                        + "0090000000000000"
                        + "2000000081000000"
                        + "00d0000000000000"
                        + "c000000016000000"
                        + "0700000000080000");
        assertThat(hex(4096 + 256 + 16, 8)).isEqualTo("0500000000000000");
        assertThat(ContextMemoryLayout.isFormatted(memory, 4096)).isTrue();
        assertThat(ContextMemoryLayout.isFormatted(memory, 0)).isFalse();
        assertThat(ContextMemoryLayout.totalBytes(memory, 4096))
                .isEqualTo(ContextMemoryLayout.totalBytes(counts))
                .isEqualTo(15 * 4096);
        assertThat(ContextMemoryLayout.entryCount(memory, 4096, Table.CQ)).isEqualTo(65);
        assertThat(ContextMemoryLayout.entry(memory, 4096, Table.CQ, 64)).isEqualTo(4096 + 2 * 4096 + 64 * 64);
        assertThat(ContextMemoryLayout.lid(memory, 4096)).isEqualTo(7);
        assertThat(ContextMemoryLayout.counter(memory, 4096, Counter.OUT_OF_SEQUENCE))
                .isEqualTo(5);
    }

    @Test
    void queuePairCounters() {
        QpContextLayout.storeCounter(memory, 512, Counter.OUT_OF_BUFFER.number(), -1);

        assertThat(hex(512 + 256, 12)).isEqualTo("00000000ffffffff00000000");
        assertThat(QpContextLayout.counter(memory, 512, Counter.OUT_OF_BUFFER)).isEqualTo(0xffff_ffffL);
        assertThat(QpContextLayout.SIZE_BYTES).isEqualTo(512);
    }

    @Test
    void totals() {
        long totals = UarContextLayout.totals(640);
        int value = 1;
        for (TotalsLayout.Traffic traffic : TotalsLayout.Traffic.values()) {
            TotalsLayout.add(memory, totals, traffic, value++);
        }
        TotalsLayout.add(memory, totals, Counter.RNR_NAK_RETRY_ERR, 5);
        TotalsLayout.add(memory, totals, Counter.OUT_OF_BUFFER, 6);
        TotalsLayout.add(memory, totals, Counter.OUT_OF_BUFFER, 1);

        assertThat(hex(640 + 64, 80))
                .isEqualTo("0100000000000000"
                        + "0200000000000000"
                        + "0300000000000000"
                        + "0400000000000000"
                        + "00".repeat(32)
                        + "0500000000000000"
                        + "0700000000000000");
        assertThat(TotalsLayout.get(memory, totals, Counter.OUT_OF_BUFFER)).isEqualTo(7);
        assertThat(UarContextLayout.SIZE_BYTES).isEqualTo(640);
        assertThat(PortContextLayout.SIZE_BYTES).isEqualTo(640);
        assertThat(PortContextLayout.totals(1024)).isEqualTo(1024 + 64);
    }

    @Test
    void linkEntry() {
        long entry = 512;
        int value = 1;
        for (LinkContextLayout.Field field : LinkContextLayout.Field.values()) {
            LinkContextLayout.set(memory, entry, field, value++);
        }
        LinkContextLayout.count(memory, entry, LinkContextLayout.Field.MARKS);
        LinkContextLayout.publishRelease(memory, entry, 2);

        assertThat(hex(entry, LinkContextLayout.SIZE_BYTES))
                .isEqualTo(ints(2, 2)
                        + ints(2, 7)
                        + "00000000"
                        + IntStream.rangeClosed(8, 23)
                                .mapToObj(i -> String.format("%02x00000000000000", i))
                                .collect(Collectors.joining())
                        + "1900000000000000"
                        + "00".repeat(24));
    }

    @Test
    void portEntry() {
        int value = 1;
        for (PortContextLayout.Field field : PortContextLayout.Field.values()) {
            PortContextLayout.set(memory, 64, field, value++);
        }

        assertThat(hex(64, 64)).isEqualTo(ints(1, 7) + "00".repeat(36));
        assertThat(ContextMemoryLayout.port(4096, 2)).isEqualTo(4096 + 1024 + 640);
    }

    @Test
    void partitionKeys() {
        ContextMemoryLayout.writeHca(memory, 4096, List.of(0xffff, 1), 512);

        assertThat(hex(4096 + 2560, 16)).isEqualTo("0200000000020000ffff000001000000");
        assertThat(ContextMemoryLayout.pkeys(memory, 4096)).containsExactly(0xffff, 1);
        assertThat(ContextMemoryLayout.maxCqe(memory, 4096)).isEqualTo(512);
    }

    @Test
    void counterNumbersAreTheirOwn() {
        assertThat(IntStream.range(0, Counter.values().length).boxed())
                .isEqualTo(java.util.Arrays.stream(Counter.values())
                        .map(Counter::number)
                        .toList());
        assertThat(Counter.RNR_NAK_RETRY_ERR.text()).isEqualTo("rnr_nak_retry_err");
    }
}
