package io.hyperverbs.launcher.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.launcher.capture.CaptureInterface.LinkType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Blocks byte by byte; whole ones at any moment. */
class PcapngWriterTest {
    private static final CaptureInterface WIRE = new CaptureInterface("wire", "", LinkType.IPV4);
    private static final CaptureInterface VERBS = new CaptureInterface("verbs", "of a", LinkType.UPPER_PDU);
    private static final long TIME = 0x0102_0304_0506_0708L;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    /** What the file has gained, in hex. */
    private String gained() {
        String hex = HexFormat.of().formatHex(file.toByteArray());
        file.reset();
        return hex;
    }

    private PcapngWriter writer(CaptureInterface... interfaces) throws IOException {
        return new PcapngWriter(file, "hv", List.of("one", "two"), List.of(interfaces));
    }

    @Test
    void beginsWithSectionHeaderAndInterfaces() throws IOException {
        writer(WIRE, VERBS);

        assertThat(gained())
                .isEqualTo("0a0d0d0a" + "38000000" + "4d3c2b1a" + "01000000" + "ffffffffffffffff"
                        + "01000300" + "6f6e6500"
                        + "01000300" + "74776f00"
                        + "04000200" + "68760000"
                        + "00000000" + "38000000"
                        //
                        + "01000000" + "28000000" + "e4000000" + "00000000"
                        + "02000400" + "77697265"
                        + "09000100" + "09000000"
                        + "00000000" + "28000000"
                        //
                        + "01000000" + "34000000" + "fc000000" + "00000000"
                        + "02000500" + "7665726273000000"
                        + "03000400" + "6f662061"
                        + "09000100" + "09000000"
                        + "00000000" + "34000000");
    }

    @Test
    void packetsHaveNanosecondsPaddingAndComments() throws IOException {
        PcapngWriter writer = writer(WIRE, VERBS);
        file.reset();

        writer.packet(1, TIME, new byte[] {1, 2, 3, 4, 5}, List.of("é", ""));
        writer.packet(0, TIME, new byte[0], List.of());
        writer.flush();

        assertThat(gained())
                .isEqualTo("06000000" + "38000000" + "01000000" + "04030201" + "08070605" + "05000000" + "05000000"
                        + "0102030405000000"
                        + "01000200" + "c3a90000"
                        + "01000000"
                        + "00000000" + "38000000"
                        //
                        + "06000000" + "24000000" + "00000000" + "04030201" + "08070605" + "00000000" + "00000000"
                        + "00000000" + "24000000");
    }

    @Test
    void statisticsSayWhatIsMissing() throws IOException {
        PcapngWriter writer = writer(WIRE);
        file.reset();

        writer.statistics(0, TIME, 7, 258);

        assertThat(gained())
                .isEqualTo("05000000" + "34000000" + "00000000" + "04030201" + "08070605"
                        + "04000800" + "0700000000000000"
                        + "05000800" + "0201000000000000"
                        + "00000000" + "34000000");
    }

    @Test
    void writesWholeBlocksWhenManyHaveGathered() throws IOException {
        PcapngWriter writer = writer(WIRE);
        int begin = file.size();
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            writer.packet(0, TIME + i, new byte[1000 + i], List.of());
            sizes.add(file.size());
        }
        writer.close();

        assertThat(sizes).startsWith(begin, begin);
        assertThat(sizes.stream().distinct().count()).isBetween(3L, 20L);
        assertThat(sizes).allMatch(size -> endsABlock(file.toByteArray(), size));
        assertThat(countBlocks(file.toByteArray())).isEqualTo(2 + 1000);
    }

    private static boolean endsABlock(byte[] bytes, int size) {
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (at < size) {
            at += file.getInt(at + 4);
        }
        return at == size;
    }

    private static int countBlocks(byte[] bytes) {
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int blocks = 0;
        for (int at = 0; at < bytes.length; at += file.getInt(at + 4)) {
            assertThat(file.getInt(at + file.getInt(at + 4) - 4)).isEqualTo(file.getInt(at + 4));
            blocks++;
        }
        return blocks;
    }

    @Test
    void cutsCommentsThatDoNotFit() throws IOException {
        PcapngWriter writer = writer(WIRE);
        file.reset();

        writer.packet(0, TIME, new byte[0], List.of("x".repeat(70_000)));
        writer.flush();

        assertThat(file.size()).isEqualTo(28 + 4 + 65_536 + 8);
        assertThat(countBlocks(file.toByteArray())).isEqualTo(1);
    }

    @Test
    void knowsItsInterfacesAlone() throws IOException {
        PcapngWriter writer = writer(WIRE);

        assertThatThrownBy(() -> writer.packet(1, TIME, new byte[0], List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("interface 1 of 1");
    }
}
