package io.hyperverbs.hca.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rings, entries and pages byte by byte. */
class QueueLayoutsTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 16, 4096);

    private String hex(long offset, long bytes) {
        return HexFormat.of().formatHex(memory.asSlice(offset, bytes).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void sendEntry() {
        memory.fill((byte) 0xee);
        SendWqeLayout.writeHead(memory, 64, 0x1122334455667788L, 5, SendFlags.SIGNALLED);
        SendWqeLayout.writeImmediate(memory, 64, 0x01020304);
        SendWqeLayout.writeRemote(memory, 64, 0xa1a2a3a4a5a6a7a8L, 0xb1b2b3b4);
        SendWqeLayout.writeAtomic(memory, 64, 0xc1c2c3c4c5c6c7c8L, 0xd1d2d3d4d5d6d7d8L);
        SendWqeLayout.writeSegmentCount(memory, 64, 0x0201);
        SendWqeLayout.writeSegment(memory, 64, 1, 0xe1e2e3e4e5e6e7e8L, 0xf1f2f3f4, 0x91929394);

        assertThat(hex(64, 80))
                .isEqualTo("8877665544332211"
                        + "05020102"
                        + "04030201"
                        + "a8a7a6a5a4a3a2a1"
                        + "b4b3b2b1"
                        + "00000000"
                        + "c8c7c6c5c4c3c2c1"
                        + "d8d7d6d5d4d3d2d1"
                        + "ee".repeat(16)
                        + "e8e7e6e5e4e3e2e1"
                        + "f4f3f2f1"
                        + "94939291");
        assertThat(SendWqeLayout.wrId(memory, 64)).isEqualTo(0x1122334455667788L);
        assertThat(SendWqeLayout.opcode(memory, 64)).isEqualTo(5);
        assertThat(SendWqeLayout.flags(memory, 64)).isEqualTo(2);
        assertThat(SendWqeLayout.segmentCount(memory, 64)).isEqualTo(0x0201);
        assertThat(SendWqeLayout.immediate(memory, 64)).isEqualTo(0x01020304);
        assertThat(SendWqeLayout.remoteAddress(memory, 64)).isEqualTo(0xa1a2a3a4a5a6a7a8L);
        assertThat(SendWqeLayout.rkey(memory, 64)).isEqualTo(0xb1b2b3b4);
        assertThat(SendWqeLayout.expectedOrAddend(memory, 64)).isEqualTo(0xc1c2c3c4c5c6c7c8L);
        assertThat(SendWqeLayout.replacement(memory, 64)).isEqualTo(0xd1d2d3d4d5d6d7d8L);
        assertThat(SendWqeLayout.segmentAddress(memory, 64, 1)).isEqualTo(0xe1e2e3e4e5e6e7e8L);
        assertThat(SendWqeLayout.segmentLengthBytes(memory, 64, 1)).isEqualTo(0xf1f2f3f4);
        assertThat(SendWqeLayout.segmentLkey(memory, 64, 1)).isEqualTo(0x91929394);
    }

    @Test
    void inlinePayload() {
        SendWqeLayout.writeHead(memory, 0, 0, 2, SendFlags.SIGNALLED);
        SendWqeLayout.writeInline(memory, 0, MemorySegment.ofArray(new byte[] {9, 1, 2, 3}), 1, 3);

        assertThat(hex(8, 4)).isEqualTo("020a0000");
        assertThat(hex(28, 4)).isEqualTo("03000000");
        assertThat(hex(48, 4)).isEqualTo("01020300");
        assertThat(SendWqeLayout.inlineBytes(memory, 0)).isEqualTo(3);
    }

    @Test
    void bindEntry() {
        memory.fill((byte) 0);
        SendWqeLayout.writeHead(memory, 64, 7, SendWqeLayout.OPCODE_BIND_MW, SendFlags.SIGNALLED);
        WindowWqeLayout.writeBind(
                memory, 64, 0xb1b2b3b4, 0xc1c2c3c4, 0xa1a2a3a4a5a6a7a8L, 0xd1d2d3d4d5d6d7d8L, 0xe1e2e3e4);

        assertThat(hex(64, 48))
                .isEqualTo("0700000000000000"
                        + "08020000"
                        + "00000000"
                        + "a8a7a6a5a4a3a2a1"
                        + "b4b3b2b1"
                        + "c4c3c2c1"
                        + "d8d7d6d5d4d3d2d1"
                        + "e4e3e2e1"
                        + "00000000");
        assertThat(WindowWqeLayout.address(memory, 64)).isEqualTo(0xa1a2a3a4a5a6a7a8L);
        assertThat(WindowWqeLayout.rkey(memory, 64)).isEqualTo(0xb1b2b3b4);
        assertThat(WindowWqeLayout.lkey(memory, 64)).isEqualTo(0xc1c2c3c4);
        assertThat(WindowWqeLayout.lengthBytes(memory, 64)).isEqualTo(0xd1d2d3d4d5d6d7d8L);
        assertThat(WindowWqeLayout.access(memory, 64)).isEqualTo(0xe1e2e3e4);
    }

    @Test
    void invalidateEntry() {
        memory.fill((byte) 0);
        SendWqeLayout.writeHead(memory, 64, 7, SendWqeLayout.OPCODE_LOCAL_INV, 0);
        WindowWqeLayout.writeInvalidated(memory, 64, 0xb1b2b3b4);

        assertThat(hex(64, 16)).isEqualTo("0700000000000000" + "07000000" + "b4b3b2b1");
        assertThat(WindowWqeLayout.invalidated(memory, 64)).isEqualTo(0xb1b2b3b4);
        assertThat(SendWqeLayout.OPCODE_SEND_WITH_INV).isEqualTo(9);
    }

    @Test
    void receiveEntry() {
        ReceiveWqeLayout.writeHead(memory, 32, 0x1122334455667788L);
        ReceiveWqeLayout.writeSegmentCount(memory, 32, 2);
        ReceiveWqeLayout.writeSegment(memory, 32, 1, 0xa1a2a3a4a5a6a7a8L, 5, 6);

        assertThat(hex(32, 48))
                .isEqualTo("8877665544332211"
                        + "0200000000000000"
                        + "00".repeat(16)
                        + "a8a7a6a5a4a3a2a1"
                        + "0500000006000000");
        assertThat(ReceiveWqeLayout.wrId(memory, 32)).isEqualTo(0x1122334455667788L);
        assertThat(ReceiveWqeLayout.segmentCount(memory, 32)).isEqualTo(2);
        assertThat(ReceiveWqeLayout.segmentAddress(memory, 32, 1)).isEqualTo(0xa1a2a3a4a5a6a7a8L);
        assertThat(ReceiveWqeLayout.segmentLengthBytes(memory, 32, 1)).isEqualTo(5);
        assertThat(ReceiveWqeLayout.segmentLkey(memory, 32, 1)).isEqualTo(6);
    }

    @Test
    void completionEntry() {
        memory.fill((byte) 0xee);
        CqeLayout.write(memory, 64, 0x1122334455667788L, 10, 129, 77, 0x123456, 3, 0xaabbccdd, 9);
        assertThat(hex(64, 60))
                .isEqualTo("8877665544332211"
                        + "4d00000056341200"
                        + "ddccbbaa0a000000"
                        + "8103000009000000"
                        + "00".repeat(28));
        CqeLayout.writeFault(memory, 64, 8, 0x01020304, 5, 6, 7);
        CqeLayout.publishRelease(memory, 64, 11);

        assertThat(hex(64, 64))
                .isEqualTo("8877665544332211"
                        + "4d00000056341200"
                        + "ddccbbaa0a000800"
                        + "8103000009000000"
                        + "0600000000000000"
                        + "0700000000000000"
                        + "0403020105000000"
                        + "000000000b000000");
        assertThat(CqeLayout.statusCode(memory, 64)).isEqualTo(10);
        assertThat(CqeLayout.vendorError(memory, 64)).isEqualTo(8);
        assertThat(CqeLayout.sequenceAcquire(memory, 64)).isEqualTo(11);
        assertThat(CqeLayout.faultPd(memory, 64)).isEqualTo(5);
    }

    @Test
    void completionHeader() {
        CqHeaderLayout.consumerIndexRelease(memory, 0, 3);
        CqHeaderLayout.armRelease(memory, 0, false, 4, -5);
        CqHeaderLayout.armRelease(memory, 0, true, 6, 7);

        assertThat(hex(0, 128))
                .isEqualTo("03000000" + "00".repeat(60) + "fbffffff04000000" + "0700000006000000" + "00".repeat(48));
        assertThat(CqHeaderLayout.totalBytes(4)).isEqualTo(128 + 4 * 64);
        long word = CqHeaderLayout.armAcquire(memory, 0, false);
        assertThat(CqHeaderLayout.armNumber(word)).isEqualTo(4);
        assertThat(CqHeaderLayout.armConsumerIndex(word)).isEqualTo(-5);
    }

    @ParameterizedTest
    @CsvSource({"COMPLETIONS, 1024, 512", "ASYNCS, 3200, 128"})
    void eventRing(EventRingLayout ring, int offset, int entries) {
        long page = 4096;
        ring.want(memory, page);
        ring.waiting(memory, page, true);
        ring.storeHead(memory, page, 3);
        ring.write(memory, page, 0, 7);
        ring.write(memory, page, 2 * entries - 1, 4095);

        assertThat(ring.publish(memory, page, 513)).isTrue();
        assertThat(hex(page + offset, 8)).isEqualTo("0102000000000000");
        assertThat(hex(page + offset + 64, 12)).isEqualTo("010000000100000003000000");
        assertThat(hex(page + offset + 128, 4)).isEqualTo("07000000");
        assertThat(hex(page + offset + 128 + (entries - 1) * 4L, 4)).isEqualTo("ff0f0000");
        assertThat(ring.isWanted(memory, page)).isTrue();
        assertThat(ring.headAcquire(memory, page)).isEqualTo(3);
        assertThat(ring.tailAcquire(memory, page)).isEqualTo(513);
        assertThat(ring.entry(memory, page, 2 * entries - 1)).isEqualTo(4095);
        assertThat(ring.tailOffset(page)).isEqualTo(page + offset);
        assertThat(ring.entries()).isEqualTo(entries);
    }

    @Test
    void asynchronousEvent() {
        int entry = EventRingLayout.async(16, 0xabcdef);

        assertThat(entry).isEqualTo(0x10abcdef);
        assertThat(EventRingLayout.asyncCode(entry)).isEqualTo(16);
        assertThat(EventRingLayout.asyncNumber(entry)).isEqualTo(0xabcdef);
    }

    @Test
    void uarPage() {
        UarLayout.format(memory, 4096);
        UarLayout.ring(memory, 4096, 0);
        UarLayout.ring(memory, 4096, 4095);

        assertThat(hex(4096, 8)).isEqualTo("4856554103000000");
        assertThat(hex(4096 + 64, 8)).isEqualTo("0100000000000080");
        assertThat(hex(4096 + 128, 8)).isEqualTo("0100000000000000");
        assertThat(hex(4096 + 128 + 63 * 8, 8)).isEqualTo("0000000000000080");
        assertThat(UarLayout.isFormatted(memory, 4096)).isTrue();
        assertThat(UarLayout.takeSummary(memory, 4096)).isEqualTo(0x8000000000000001L);
        assertThat(UarLayout.takeWord(memory, 4096, 63)).isEqualTo(Long.MIN_VALUE);
        assertThat(UarLayout.summaryAcquire(memory, 4096)).isZero();
    }

    @Test
    void statusPage() {
        StatusPageLayout.format(memory, 0);
        StatusPageLayout.armVolatile(memory, 0, 7);

        assertThat(hex(0, 8)).isEqualTo("4856535001000000");
        assertThat(hex(64, 4)).isEqualTo("07000000");
        assertThat(StatusPageLayout.armNumberVolatile(memory, 0)).isEqualTo(7);
        assertThat(StatusPageLayout.isFormatted(memory, 0)).isTrue();
    }

    @Test
    void pagesOfAnotherKindOrVersionAreNotFormatted() {
        assertThat(UarLayout.isFormatted(memory, 0)).isFalse();
        assertThat(StatusPageLayout.isFormatted(memory, 0)).isFalse();
        UarLayout.format(memory, 0);
        StatusPageLayout.format(memory, 4096);

        assertThat(StatusPageLayout.isFormatted(memory, 0)).isFalse();
        assertThat(UarLayout.isFormatted(memory, 4096)).isFalse();
        memory.set(Bytes.INT, 4, UarLayout.VERSION + 1);
        memory.set(Bytes.INT, 4096 + 4, StatusPageLayout.VERSION + 1);

        assertThat(UarLayout.isFormatted(memory, 0)).isFalse();
        assertThat(StatusPageLayout.isFormatted(memory, 4096)).isFalse();
    }

    @Test
    void indexesAndGeometry() {
        QueueGeometry geometry = QueueGeometry.of(5, 3, 2, 4, 100);
        QueueIndexes.sendProducerRelease(memory, 0, 0x01020304);
        QueueIndexes.receiveProducerRelease(memory, 0, 0x05060708);

        assertThat(hex(0, 4)).isEqualTo("04030201");
        assertThat(hex(64, 4)).isEqualTo("08070605");
        assertThat(geometry).isEqualTo(new QueueGeometry(8, 192, 4, 96));
        assertThat(geometry.sendSlot(9)).isEqualTo(128 + 192);
        assertThat(geometry.receiveSlot(6)).isEqualTo(128 + 8 * 192 + 2 * 96);
        assertThat(geometry.totalBytes()).isEqualTo(128 + 8 * 192 + 4 * 96);
    }

    @Test
    void availableIsBoundedForEveryPairNearTheWrap() {
        for (int size = 1; size <= 64; size <<= 1) {
            for (int own = -130; own <= 130; own++) {
                for (int ahead = -130; ahead <= 130; ahead++) {
                    int expected = ahead >= 0 && ahead <= size ? ahead : -1;
                    assertThat(QueueIndexes.available(own + ahead, own, size)).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void completionRingReadsWhatTheHcaWrote() {
        CompletionRing ring = new CompletionRing(memory, 0, 2);
        WorkCompletion completion = new WorkCompletion();
        assertThat(ring.hasNext()).isFalse();
        long cqe = CqHeaderLayout.SIZE_BYTES;
        CqeLayout.write(memory, cqe, 5, VerbsStatus.REM_ACCESS_ERR.code(), 1, 0, 6, 0, 0, 3);
        CqeLayout.writeFault(memory, cqe, VendorError.KEY_NOT_IN_PD.code(), 0x1234, 3, 0, 0);
        CqeLayout.publishRelease(memory, cqe, 1);

        assertThat(ring.hasNext()).isTrue();
        ring.read(completion);

        assertThat(completion.explain())
                .isEqualTo("REM_ACCESS_ERR remote access error: key 0x1234 is not a key of PD 3");
        assertThat(ring.sqHead()).isEqualTo(3);
        assertThat(ring.isReceive()).isFalse();
    }
}
