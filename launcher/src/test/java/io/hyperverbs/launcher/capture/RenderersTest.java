package io.hyperverbs.launcher.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.launcher.capture.RocePacketRenderer.Flow;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RenderersTest {
    private static final HexFormat HEX = HexFormat.of();

    /** A congestion notification by a ConnectX-4 Lx, from the regression tests of Scapy. */
    @Test
    void rendersWhatAnAdapterSent() {
        String datagram = "8100ffff4000011800000000" + "00".repeat(16) + "82fd002a";

        byte[] packet =
                RocePacketRenderer.render(new Flow(0x0a00_1101, 0x0a00_1201, 0), 0x718c, 0xc2, HEX.parseHex(datagram));

        assertThat(HEX.formatHex(packet))
                .isEqualTo("45c2003c718c4000401191610a0011010a001201" + "000012b700280000" + datagram);
    }

    @Test
    void checksumCarriesTwice() {
        byte[] packet = RocePacketRenderer.render(new Flow(-1, 0xffff_62a3, 0xffff), 0xffff, 0xff, new byte[20]);

        int sum = 0;
        for (int i = 0; i < 20; i += 2) {
            sum += (packet[i] & 0xff) << 8 | packet[i + 1] & 0xff;
        }
        assertThat(sum % 0xffff).isZero();
    }

    @Test
    void refusesWhatIpCannotCarry() {
        Flow flow = new Flow(1, 2, 3);

        assertThat(RocePacketRenderer.render(flow, 0, 0, new byte[65_507])).hasSize(65_535);
        assertThatThrownBy(() -> RocePacketRenderer.render(flow, 0, 0, new byte[65_508]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65508");
    }

    @Test
    void verbsAreTextBehindTags() {
        byte[] packet = ControlVerbRenderer.render("open = 0");

        assertThat(HEX.formatHex(packet))
                .isEqualTo("000c0010" + HEX.formatHex("data-text-lines".getBytes()) + "00"
                        + "00210008" + HEX.formatHex("VERBS".getBytes()) + "000000"
                        + "0024000c" + HEX.formatHex("open = 0".getBytes()) + "00000000"
                        + "00000000"
                        + HEX.formatHex("open = 0".getBytes()));
    }

    @Test
    void columnsOfLongVerbsAreCut() {
        byte[] packet = ControlVerbRenderer.render("x".repeat(100_000));

        assertThat(packet).hasSize(20 + 12 + 4 + 1028 + 4 + 100_000);
    }
}
