package io.hyperverbs.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.lab.ledger.Sources;
import io.hyperverbs.launcher.capture.CaptureInterface;
import io.hyperverbs.launcher.capture.CaptureInterface.LinkType;
import io.hyperverbs.launcher.capture.ControlVerbRenderer;
import io.hyperverbs.launcher.capture.PcapngWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wireshark reads captures of ours without a complaint, and finds in each packet what was written. */
class TsharkTest {
    private static final int SAMPLES = 5;
    private static final long TIME = 1_764_000_000_123_456_789L;
    private static final List<CaptureInterface> INTERFACES = List.of(
            new CaptureInterface("wire", "packets", LinkType.IPV4),
            new CaptureInterface("verbs", "control verbs", LinkType.UPPER_PDU));

    private static final String COMMENT = "frame.comment";
    private static final String COMPLAINT = "_ws.expert.message";
    private static final String UNDISSECTED = "infiniband.vendor";

    /** By Wireshark's name of a field, ours. */
    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("infiniband.bth.opcode", "opcode"),
            Map.entry("infiniband.bth.se", "se"),
            Map.entry("infiniband.bth.m", "migreq"),
            Map.entry("infiniband.bth.padcnt", "pad"),
            Map.entry("infiniband.bth.tver", "version"),
            Map.entry("infiniband.bth.p_key", "pkey"),
            Map.entry("infiniband.bth.destqp", "destqp"),
            Map.entry("infiniband.bth.a", "ackreq"),
            Map.entry("infiniband.bth.psn", "psn"),
            Map.entry("infiniband.reth.va", "va"),
            Map.entry("infiniband.reth.r_key", "rkey"),
            Map.entry("infiniband.reth.dmalen", "length"),
            Map.entry("infiniband.atomiceth.swapdt", "swap"),
            Map.entry("infiniband.atomiceth.cmpdt", "cmp"),
            Map.entry("infiniband.aeth.syndrome", "syndrome"),
            Map.entry("infiniband.aeth.msn", "msn"),
            Map.entry("infiniband.atomicacketh.origremdt", "original"),
            Map.entry("infiniband.deth.q_key", "qkey"),
            Map.entry("infiniband.deth.srcqp", "srcqp"),
            Map.entry("infiniband.immdt", "immediate"),
            Map.entry("infiniband.ieth", "invalidated"));

    private static final List<String> ALL_FIELDS = Stream.concat(
                    FIELDS.keySet().stream(),
                    Stream.of(
                            COMMENT,
                            COMPLAINT,
                            UNDISSECTED,
                            "frame.time_epoch",
                            "frame.interface_name",
                            "ip.src",
                            "ip.dst",
                            "ip.id",
                            "ip.checksum.status",
                            "udp.srcport",
                            "udp.dstport",
                            "infiniband.invariant.crc",
                            "infiniband.reserved",
                            "data.data"))
            .toList();

    @TempDir
    Path folder;

    private final long seed = Sources.seed();

    @BeforeEach
    void needsTshark() {
        assumeTrue(Tshark.isInstalled(), "tshark is not installed (Debian: tshark)");
    }

    @Test
    void everyOpcodeIsDissectedAsWritten() throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        List<SamplePacket> samples = new ArrayList<>();
        for (PacketOpcode opcode : PacketOpcode.values()) {
            for (int i = 0; i < SAMPLES; i++) {
                samples.add(new SamplePacket(random, opcode));
            }
        }
        Path capture = folder.resolve("wire.pcapng");
        try (PcapngWriter writer =
                new PcapngWriter(Files.newOutputStream(capture), "test", List.of("all opcodes"), INTERFACES)) {
            for (SamplePacket sample : samples) {
                writer.packet(0, TIME, sample.packet(), List.of(sample.opcode().name()));
            }
            writer.statistics(0, TIME, samples.size(), 0);
        }

        List<Map<String, String>> dissected = Tshark.dissect(capture, ALL_FIELDS);

        assertThat(dissected).hasSameSizeAs(samples);
        for (int i = 0; i < samples.size(); i++) {
            judge(samples.get(i), dissected.get(i));
        }
    }

    private void judge(SamplePacket sample, Map<String, String> seen) {
        String what = sample + ", seed " + seed;
        String name = sample.opcode().name();
        assertThat(seen).as(what).containsEntry(COMMENT, name).containsEntry("frame.interface_name", "wire");
        // A comment is a complaint of the least severity; no other may be there.
        assertThat(seen.get(COMPLAINT)).as(what).isEqualTo(name);
        assertThat(seen)
                .as(what)
                .containsEntry("frame.time_epoch", "1764000000.123456789")
                .containsEntry("ip.src", dotted(sample.flow().sourceIp()))
                .containsEntry("ip.dst", dotted(sample.flow().destinationIp()))
                .containsEntry("ip.checksum.status", "1")
                .containsEntry("udp.srcport", Integer.toString(sample.flow().sourcePort()))
                .containsEntry("udp.dstport", "4791");
        assertThat(number(seen.get("ip.id"))).as(what).isEqualTo(sample.identification());
        long congestion = sample.written().get("fecn") << 7 | sample.written().get("becn") << 6;
        assertThat(seen.get("infiniband.reserved")).as(what).startsWith("%02x".formatted(congestion));
        if (isUndissected(sample.opcode())) {
            // Of a CNP it shows the first four bytes of these twice.
            String rest = seen.get(UNDISSECTED);
            assertThat(rest.substring(rest.indexOf(';') + 1)).as(what).isEqualTo(sample.afterBth() + sample.icrc());
        } else {
            assertThat(seen).as(what).doesNotContainKey(UNDISSECTED);
            // Wireshark shows the padding as payload.
            assertThat(seen.getOrDefault("data.data", "")).as(what).isEqualTo(sample.paddedPayload());
            assertThat(number(seen.get("infiniband.invariant.crc")))
                    .as(what)
                    .isEqualTo(Long.parseLong(sample.icrc(), 16));
        }
        FIELDS.forEach((theirs, ours) -> {
            Long expected = isUndissected(sample.opcode()) && !theirs.contains(".bth.")
                    ? null
                    : sample.written().get(ours);
            Long found = seen.containsKey(theirs) ? (Long) number(seen.get(theirs), theirs) : null;
            assertThat(found).as("%s of %s", theirs, what).isEqualTo(expected);
        });
    }

    /** Wireshark names opcodes of XRC, and dissects nothing after their BTH; it does not know the CNP. */
    private static boolean isUndissected(PacketOpcode opcode) {
        return opcode.kind() == Kind.CNP || PacketTable.transport(opcode.code()) == PacketTable.XRC;
    }

    private static String dotted(int ip) {
        return "%d.%d.%d.%d".formatted(ip >>> 24, ip >> 16 & 0xff, ip >> 8 & 0xff, ip & 0xff);
    }

    private static long number(String text) {
        return switch (text) {
            case "True" -> 1;
            case "False" -> 0;
            default ->
                text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseUnsignedLong(text);
        };
    }

    /** Fields of bytes come as hex without a prefix, and twice: the header and the field in it. */
    private static long number(String text, String field) {
        boolean isBytes = field.equals("infiniband.immdt") || field.equals("infiniband.ieth");
        if (!isBytes) {
            return number(text);
        }
        String value = text.substring(0, 8);
        assertThat(text.replace(";", "").replace(value, "")).isEmpty();
        return Long.parseLong(value, 16);
    }

    @Test
    void controlVerbsAreListedAmongPackets() throws IOException, InterruptedException {
        SamplePacket sample = new SamplePacket(new SplittableRandom(seed), PacketOpcode.RC_ACKNOWLEDGE);
        Path capture = folder.resolve("verbs.pcapng");
        try (PcapngWriter writer = new PcapngWriter(Files.newOutputStream(capture), "test", List.of(), INTERFACES)) {
            writer.packet(1, TIME, ControlVerbRenderer.render("create_qp(pd=1) = 0"), List.of("create_qp(pd=1) = 0"));
            writer.packet(0, TIME + 1000, sample.packet(), List.of());
            writer.flush();

            // The file is not closed yet.
            List<Map<String, String>> seen = Tshark.dissect(
                    capture, List.of(COMMENT, COMPLAINT, "frame.interface_name", "text", "data-text-lines"));
            assertThat(seen).hasSize(2);
            assertThat(seen.getFirst())
                    .containsEntry(COMMENT, "create_qp(pd=1) = 0")
                    .containsEntry(COMPLAINT, "create_qp(pd=1) = 0")
                    .containsEntry("frame.interface_name", "verbs");
            assertThat(seen.getFirst().toString()).contains("Line-based text data");
            assertThat(Tshark.list(capture).getFirst()).contains("VERBS");
        }
    }
}
