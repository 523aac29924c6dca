package io.hyperverbs.tests.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.capture.CapturedPacket;
import io.hyperverbs.hca.capture.PacketFate;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.Icrc;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.catalogue.Conformance;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.run.inprocess.InProcessMachine;
import io.hyperverbs.launcher.capture.CaptureInterface;
import io.hyperverbs.launcher.capture.CaptureInterface.LinkType;
import io.hyperverbs.launcher.capture.PcapngWriter;
import io.hyperverbs.launcher.capture.RocePacketRenderer;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.tests.contract.PathCases;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.vmm.io.FrameRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the cases of the contract exchange within one HCA, as a capture shows it to Wireshark. */
@RunsWhenChanged
class InsideCaptureTest {
    /** HCA and doorbell pages. */
    private static final int OTHER_FRAMES = 16_384;

    /** Of one case: some move gigabytes. */
    private static final int MOST_PACKETS = 60;

    private static final int LEAST_PAYLOAD = 16;
    private static final String OPCODE = "infiniband.bth.opcode";
    private static final List<String> FIELDS =
            List.of("frame.comment", OPCODE, "_ws.expert.message", "ip.checksum.status", "infiniband.invariant.crc");

    @TempDir
    Path folder;

    /** A packet as it was shown. */
    private record Shown(String what, PacketFate fate, byte[] ipv4) {}

    private final List<Shown> shown = new ArrayList<>();
    private final Set<PacketOpcode> opcodes = EnumSet.noneOf(PacketOpcode.class);
    private String running = "";
    private int left;

    @Test
    void eachCaseOfTheContractIsDissected() throws Exception {
        assumeTrue(Tshark.isInstalled(), "tshark is not installed (Debian: tshark)");
        runCases();
        Path capture = folder.resolve("inside.pcapng");
        List<CaptureInterface> inside = List.of(new CaptureInterface("inside", "", LinkType.IPV4));
        try (PcapngWriter writer = new PcapngWriter(Files.newOutputStream(capture), "test", List.of(), inside)) {
            for (Shown packet : shown) {
                writer.packet(0, 1, packet.ipv4(), List.of(packet.what()));
            }
        }

        List<Map<String, String>> seen = Tshark.dissect(capture, FIELDS);

        assertThat(seen).hasSameSizeAs(shown);
        for (int i = 0; i < seen.size(); i++) {
            String what = shown.get(i).what();
            assertThat(seen.get(i))
                    .as(what)
                    .containsEntry("_ws.expert.message", what)
                    .containsEntry("ip.checksum.status", "1")
                    .containsKeys(OPCODE);
        }
        assertThat(opcodes.stream().map(PacketOpcode::name))
                .contains("RC_SEND_FIRST", "RC_SEND_ONLY", "RC_RDMA_WRITE_ONLY", "RC_RDMA_READ_REQUEST")
                .contains("RC_RDMA_READ_RESPONSE_ONLY", "RC_ACKNOWLEDGE", "RC_ATOMIC_ACKNOWLEDGE", "RC_FETCH_ADD")
                .contains("RC_COMPARE_SWAP", "UC_SEND_ONLY", "UC_RDMA_WRITE_ONLY", "UD_SEND_ONLY", "XRC_SEND_ONLY");
        assertThat(shown).anyMatch(packet -> packet.fate() == PacketFate.UNANSWERED);
    }

    private void runCases() throws Exception {
        Guest guest = CheckedPath.NATIVE.guest();
        int ramFrames = (int) (guest.memoryBytes() / FrameRun.FRAME_BYTES);
        Map<String, String> settings = new LinkedHashMap<>(guest.settings());
        settings.put("quota." + QuotaKind.JOURNAL.key(), Long.toString(1L << 40));
        try (InProcessMachine machine = new InProcessMachine(
                HcaLimits.standard(), ramFrames, OTHER_FRAMES, Files.createDirectory(folder.resolve("journal")))) {
            Domain domain = machine.onVirtualTime(machine.add(guest.name(), ramFrames, settings));
            machine.capture(this::take);
            for (ConformanceCase one : Conformance.cases()) {
                if (!PathCases.NEED_THREADS.contains(one.name())) {
                    running = one.name();
                    left = MOST_PACKETS;
                    try (Rig rig = new Rig(domain, null, machine::nowNanos)) {
                        one.body().run(rig);
                    }
                }
            }
            machine.capture(null);
        }
    }

    private void take(CapturedPacket packet) {
        int code = BthLayout.opcode(packet.memory, packet.offset);
        PacketOpcode opcode = PacketTable.row(code);
        assertThat(opcode).as("opcode %x of %s", code, running).isNotNull();
        assertThat(packet.fate.isInside()).isTrue();
        int payload = packet.lengthBytes
                - PacketTable.headerBytes(code)
                - BthLayout.padCount(packet.memory, packet.offset)
                - Icrc.SIZE_BYTES;
        // Wireshark takes a few bytes for the beginning of some upper layer, and calls that malformed.
        boolean isGuessedAt = payload > 0 && payload < LEAST_PAYLOAD;
        if (!isGuessedAt && (left-- > 0 || opcodes.add(opcode))) {
            opcodes.add(opcode);
            byte[] bytes =
                    packet.memory.asSlice(packet.offset, packet.lengthBytes).toArray(JAVA_BYTE);
            RocePacketRenderer.Flow flow =
                    new RocePacketRenderer.Flow(packet.sourceAddress, packet.destinationAddress, packet.sourcePort);
            shown.add(new Shown(
                    opcode + " of " + running,
                    packet.fate,
                    RocePacketRenderer.render(flow, packet.identification, packet.trafficClass, bytes)));
        }
    }
}
