package io.hyperverbs.upper.ipoib.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {
    private static final long SEED = 4391;

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0.0.0.0",
        "10.1.2.255, 10.1.2.255",
        "255.255.255.255, 255.255.255.255",
        "::ffff:10.0.0.1, 10.0.0.1",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "fe80:0:0:0:0:0:0:1, fe80::1",
        "2001:DB8::A, 2001:db8::a",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::",
        "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
    })
    void writesAsRfc5952Asks(String text, String canonical) {
        assertThat(IpAddress.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "10.0.0.256", "fe80::1%eth0", "1:2:3", ":::", "::1::"})
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> IpAddress.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsBackItsText() throws Exception {
        Random random = new Random(SEED);
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = new byte[16];
            for (int j = 0; j < 16; j++) {
                bytes[j] = (byte) (random.nextInt(3) == 0 ? random.nextInt() : 0);
            }
            IpAddress address = IpAddress.readIpv6(MemorySegment.ofArray(bytes), 0);

            assertThat(IpAddress.parse(address.toString())).isEqualTo(address);
            assertThat(InetAddress.ofLiteral(address.toString())).isEqualTo(InetAddress.getByAddress(bytes));
        }
    }

    @Test
    void writesNetworkOrder() {
        byte[] bytes = new byte[21];
        IpAddress.parse("10.1.2.3").writeIpv4(MemorySegment.ofArray(bytes), 1);
        IpAddress.parse("102:304:506:708:90a:b0c:d0e:f10").writeIpv6(MemorySegment.ofArray(bytes), 5);

        assertThat(bytes).containsExactly(0, 10, 1, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
        assertThat(IpAddress.readIpv4(MemorySegment.ofArray(bytes), 1)).hasToString("10.1.2.3");
        assertThat(IpAddress.ofIpv4(0x0a010203)).hasToString("10.1.2.3");
    }

    @ParameterizedTest
    @CsvSource({
        // address, IPv4, multicast, link-local, unspecified, broadcast, unicast
        "0.0.0.0, true, false, false, true, false, false",
        "::, false, false, false, true, false, false",
        "10.0.0.1, true, false, false, false, false, true",
        "169.254.3.4, true, false, true, false, false, true",
        "223.255.255.255, true, false, false, false, false, true",
        "224.0.0.1, true, true, false, false, false, false",
        "239.255.255.255, true, true, false, false, false, false",
        "240.0.0.1, true, false, false, false, false, true",
        "255.255.255.255, true, false, false, false, true, false",
        "fe80::1, false, false, true, false, false, true",
        "febf::1, false, false, true, false, false, true",
        "fec0::1, false, false, false, false, false, true",
        "ff02::1, false, true, false, false, false, false",
        "fe00::, false, false, false, false, false, true",
        "::fffe:10.0.0.1, false, false, false, false, false, true",
        "1::ffff:10.0.0.1, false, false, false, false, false, true",
    })
    void classifies(
            String text,
            boolean ipv4,
            boolean multicast,
            boolean linkLocal,
            boolean unspecified,
            boolean broadcast,
            boolean unicast) {
        IpAddress address = IpAddress.parse(text);

        assertThat(address.isIpv4()).isEqualTo(ipv4);
        assertThat(address.isMulticast()).isEqualTo(multicast);
        assertThat(address.isLinkLocal()).isEqualTo(linkLocal);
        assertThat(address.isUnspecified()).isEqualTo(unspecified);
        assertThat(address.isBroadcast()).isEqualTo(broadcast);
        assertThat(address.isUnicast()).isEqualTo(unicast);
    }

    /** The example of RFC 4291 §2.7.1. */
    @Test
    void hasTheSolicitedNodeGroupOfTheRfc() {
        assertThat(IpAddress.parse("4037::01:800:200E:8C6C").solicitedNode()).hasToString("ff02::1:ff0e:8c6c");
    }
}
