package io.hyperverbs.upper.ipoib.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.ip.IpInterface;
import io.hyperverbs.verbs.ip.PacketOffload;
import io.hyperverbs.verbs.ip.PacketPieces;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReceivedPacketsTest {
    private static final int STRIDE = 64;

    private final List<String> given = new ArrayList<>();
    private final LinkCounters counters = new LinkCounters();
    private final MemorySegment memory = Arena.ofAuto().allocate(8 * STRIDE);
    private boolean isTaken = true;

    private final ReceivedPackets packets = new ReceivedPackets(
            SendingHca.fake(IpInterface.class, (_, method, arguments) -> {
                given.add(
                        arguments.length == 1
                                ? "whole " + ((MemorySegment) arguments[0]).byteSize()
                                : pieces((PacketPieces) arguments[0], (PacketOffload) arguments[1]));
                return isTaken;
            }),
            counters);

    private static String pieces(PacketPieces pieces, PacketOffload left) {
        int bytes = 0;
        for (int i = 0; i < pieces.count(); i++) {
            bytes += pieces.lengthBytes(i);
        }
        return pieces.count() + " of " + bytes + " by " + left.segmentBytes();
    }

    /** A packet of TCP with two bytes of payload, whose checksums are right. */
    private void give(int slot, int sequence) throws IOException {
        byte[] packet = HexFormat.of()
                .parseHex("4500002a0000400040066d??0a0100010a010002".replace("??", "00")
                        + "00010002%08x00000000501001000000000000ff".formatted(sequence));
        setSum(packet, 0, 20, 10, 0);
        setSum(packet, 20, 42, 36, 0x0a01 + 1 + 0x0a01 + 2 + 6 + 22);
        MemorySegment.copy(MemorySegment.ofArray(packet), 0, memory, (long) slot * STRIDE, packet.length);
        packets.give(memory, (long) slot * STRIDE, packet.length);
    }

    private static void setSum(byte[] packet, int start, int end, int field, int first) {
        packet[field] = 0;
        packet[field + 1] = 0;
        int sum = first;
        for (int i = start; i < end; i += 2) {
            sum += (packet[i] & 0xff) << 8 | (packet[i + 1] & 0xff);
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        sum = ~((sum & 0xffff) + (sum >>> 16));
        packet[field] = (byte) (sum >>> 8);
        packet[field + 1] = (byte) sum;
    }

    @Test
    void segmentsThatFollowAreGivenAsOne() throws IOException {
        give(0, 10);
        give(1, 12);
        give(2, 14);
        assertThat(given).isEmpty();

        packets.flush();
        packets.flush();

        assertThat(given).containsExactly("3 of 46 by 2");
    }

    @Test
    void theOrderIsThatOfTheirComing() throws IOException {
        give(0, 10);
        give(1, 12);
        // Of another connection, as it is.
        give(2, 99);
        memory.set(ValueLayout.JAVA_BYTE, 3 * STRIDE, (byte) 0x45);
        packets.give(memory, 3 * STRIDE, 30);
        give(4, 101);
        packets.flush();

        assertThat(given).containsExactly("2 of 44 by 2", "1 of 42 by 0", "whole 30", "1 of 42 by 0");
    }

    @Test
    void countsWhatTheInterfaceDoesNotTake() throws IOException {
        isTaken = false;
        give(0, 10);
        packets.flush();
        packets.give(memory, 3 * STRIDE, 30);

        assertThat(counters.toString()).contains("malformed 2,");
    }
}
