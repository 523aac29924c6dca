package io.hyperverbs.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.hca.wire.AethLayout;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.Icrc;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.lab.ledger.Sources;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scapy reads random packets of ours, ICRC included, and its own random packets are read here. */
class ScapyTest {
    private static final int PACKETS = Integer.getInteger("wire.packets", 2000);

    /** Lines of one run of the script, which are kept in memory. */
    private static final int BATCH = 5000;

    private static final int UDP_HEADER_END = 28;
    private static final int MASKED_BYTE = 4;

    /** By Scapy's name of a field of the BTH, ours. */
    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("opcode", "opcode"),
            Map.entry("solicited", "se"),
            Map.entry("migreq", "migreq"),
            Map.entry("padcount", "pad"),
            Map.entry("version", "version"),
            Map.entry("pkey", "pkey"),
            Map.entry("fecn", "fecn"),
            Map.entry("becn", "becn"),
            Map.entry("dqpn", "destqp"),
            Map.entry("ackreq", "ackreq"),
            Map.entry("psn", "psn"));

    @TempDir
    Path folder;

    private final long seed = Sources.seed();
    private final SplittableRandom random = new SplittableRandom(seed);
    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 14);
    private final Icrc icrc = new Icrc(memory);

    @BeforeEach
    void needsScapy() throws InterruptedException {
        assumeTrue(Scapy.isInstalled(), "Scapy is not installed for /usr/bin/python3 (Debian: python3-scapy)");
    }

    @Test
    void scapyReadsWhatWeWrite() throws IOException, InterruptedException {
        PacketOpcode[] opcodes = PacketOpcode.values();
        for (int done = 0; done < PACKETS; done += BATCH) {
            List<SamplePacket> samples = new ArrayList<>();
            for (int i = 0; i < Math.min(BATCH, PACKETS - done); i++) {
                samples.add(new SamplePacket(random, opcodes[random.nextInt(opcodes.length)]));
            }
            List<String> lines = samples.stream()
                    .map(sample -> HexFormat.of().formatHex(sample.packet()))
                    .toList();

            List<Map<String, String>> seen = Scapy.judge(folder, lines, "read");

            assertThat(seen).hasSameSizeAs(samples);
            for (int i = 0; i < samples.size(); i++) {
                assertRead(samples.get(i), seen.get(i));
            }
        }
    }

    private void assertRead(SamplePacket sample, Map<String, String> seen) {
        String what = sample + ", seed " + seed;
        FIELDS.forEach((theirs, ours) -> assertThat(seen.get(theirs))
                .as("%s of %s", theirs, what)
                .isEqualTo(sample.written().get(ours).toString()));
        assertThat(seen)
                .as(what)
                .containsEntry("icrc", sample.icrc())
                .containsEntry("computed", sample.icrc())
                .containsEntry("built", "same")
                .containsEntry("after", sample.afterBth())
                .containsEntry("id", Integer.toString(sample.identification()))
                .containsEntry("sport", Integer.toString(sample.flow().sourcePort()));
        if (sample.opcode() == PacketOpcode.RC_ACKNOWLEDGE) {
            assertThat(seen)
                    .as(what)
                    .containsEntry("syndrome", sample.written().get("syndrome").toString())
                    .containsEntry("msn", sample.written().get("msn").toString());
        }
    }

    @Test
    void weReadWhatScapyWrites() throws IOException, InterruptedException {
        for (int done = 0; done < PACKETS; done += BATCH) {
            int count = Math.min(BATCH, PACKETS - done);

            List<Map<String, String>> made =
                    Scapy.judge(folder, List.of(), "make", Long.toString(seed + done), Integer.toString(count));

            assertThat(made).hasSize(count);
            made.forEach(this::readScapys);
        }
    }

    private void readScapys(Map<String, String> made) {
        String what = made + ", seed " + seed;
        ByteBuffer packet = ByteBuffer.wrap(HexFormat.of().parseHex(made.get("packet")));
        long at = random.nextInt(8);
        int length = packet.capacity() - UDP_HEADER_END - Icrc.SIZE_BYTES;
        MemorySegment.copy(packet.array(), UDP_HEADER_END, memory, ValueLayout.JAVA_BYTE, at, length + Icrc.SIZE_BYTES);
        Flow flow = new Flow(packet.getInt(12), packet.getInt(16), packet.getShort(20) & 0xffff);
        int identification = packet.getShort(4) & 0xffff;

        assertThat(bth(at)).as(what).isSubsetOf(made.entrySet());
        if (made.containsKey("msn")) {
            assertThat(AethLayout.msn(memory, at + 12)).as(what).isEqualTo(Integer.parseInt(made.get("msn")));
            assertThat(AethLayout.syndrome(memory, at + 12)).as(what).isEqualTo(Integer.parseInt(made.get("syndrome")));
        }
        assertThat(identification(flow, at, length)).as(what).isEqualTo(identification);
        assertThat(matches(flow, at, length, identification)).as(what).isTrue();
        assertRefusesDamage(flow, at, length, identification, what);
    }

    /** The fields of the BTH as this project reads them, by Scapy's names. */
    private Iterable<Map.Entry<String, String>> bth(long at) {
        return Map.ofEntries(
                        entry("opcode", BthLayout.opcode(memory, at)),
                        entry("solicited", BthLayout.isSolicited(memory, at) ? 1 : 0),
                        entry("migreq", BthLayout.isMigrationRequest(memory, at) ? 1 : 0),
                        entry("padcount", BthLayout.padCount(memory, at)),
                        entry("version", BthLayout.version(memory, at)),
                        entry("pkey", BthLayout.pkey(memory, at)),
                        entry("fecn", BthLayout.isForwardCongestion(memory, at) ? 1 : 0),
                        entry("becn", BthLayout.isBackwardCongestion(memory, at) ? 1 : 0),
                        entry("dqpn", BthLayout.destinationQpn(memory, at)),
                        entry("ackreq", BthLayout.isAckRequest(memory, at) ? 1 : 0),
                        entry("psn", BthLayout.psn(memory, at)))
                .entrySet();
    }

    private static Map.Entry<String, String> entry(String name, int value) {
        return Map.entry(name, Integer.toString(value));
    }

    private void assertRefusesDamage(Flow flow, long at, int length, int identification, String what) {
        int bit = random.nextInt(8 * (length + Icrc.SIZE_BYTES));
        if (bit / 8 == MASKED_BYTE) {
            bit += 8;
        }
        long damaged = at + bit / 8;
        byte flipped = (byte) (memory.get(ValueLayout.JAVA_BYTE, damaged) ^ 1 << bit % 8);
        memory.set(ValueLayout.JAVA_BYTE, damaged, flipped);

        assertThat(matches(flow, at, length, identification))
                .as("bit %d of %s", bit, what)
                .isFalse();
        assertThat(identification(flow, at, length))
                .as("bit %d of %s", bit, what)
                .isEqualTo(Icrc.NO_IDENTIFICATION);
    }

    private int identification(Flow flow, long at, int length) {
        return icrc.identification(at, length, flow.source, flow.destination, 0, flow.port, BthLayout.UDP_PORT);
    }

    private boolean matches(Flow flow, long at, int length, int identification) {
        return icrc.matches(at, length, flow.source, flow.destination, identification, flow.port, BthLayout.UDP_PORT);
    }

    private record Flow(int source, int destination, int port) {}
}
