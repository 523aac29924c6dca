package io.hyperverbs.upper.ipoib.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HardwareAddressTest {
    private static final Gid GID = new Gid(Gid.LINK_LOCAL_PREFIX, 0x0002c903_000102ffL);

    /** RFC 4391 §9.1.1 and RFC 4755 §3.1: flags, QPN, GID. */
    @Test
    void isTwentyBytes() {
        byte[] bytes = new byte[22];
        HardwareAddress address = new HardwareAddress(HardwareAddress.RC, 0x48ab, GID);
        address.write(MemorySegment.ofArray(bytes), 1);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("00800048abfe800000000000000002c903000102ff00");
        assertThat(HardwareAddress.read(MemorySegment.ofArray(bytes), 1)).isEqualTo(address);
        assertThat(address).hasToString("80:00:48:ab:fe:80:00:00:00:00:00:00:00:02:c9:03:00:01:02:ff");
    }

    @Test
    void keepsReservedFlags() {
        byte[] bytes = new byte[HardwareAddress.SIZE_BYTES];
        bytes[0] = 0x41;

        assertThat(HardwareAddress.read(MemorySegment.ofArray(bytes), 0).flags())
                .isEqualTo(HardwareAddress.UC | 1);
    }

    @Test
    void refusesMoreBits() {
        assertThatThrownBy(() -> new HardwareAddress(0x100, 0, GID)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HardwareAddress(-1, 0, GID)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HardwareAddress(0, 0x100_0000, GID)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isOneNodesOnlyWithAPortAndAQueuePair() {
        assertThat(new HardwareAddress(0, 2, GID).isUnicast()).isTrue();
        assertThat(new HardwareAddress(0, 0xff_fffe, GID).isUnicast()).isTrue();
        assertThat(new HardwareAddress(0, 0, GID).isUnicast()).isFalse();
        assertThat(new HardwareAddress(0, 1, GID).isUnicast()).isFalse();
        assertThat(new HardwareAddress(0, 2, new Gid(0, 0)).isUnicast()).isFalse();
        assertThat(new HardwareAddress(0, 2, MulticastGid.broadcast(1)).isUnicast())
                .isFalse();
        assertThat(new HardwareAddress(0, HardwareAddress.MULTICAST_QPN, GID).isUnicast())
                .isFalse();
        assertThat(HardwareAddress.NONE.isUnicast()).isFalse();
    }

    @Test
    void offersReliableConnectionsByItsFlag() {
        assertThat(new HardwareAddress(HardwareAddress.RC, 2, GID).isReliableConnected())
                .isTrue();
        assertThat(new HardwareAddress(HardwareAddress.UC, 2, GID).isReliableConnected())
                .isFalse();
    }

    /** As ip-link(8) prints it for a link of the default partition. */
    @Test
    void hasTheBroadcastAddressThatLinuxPrints() {
        assertThat(HardwareAddress.ofGroup(MulticastGid.broadcast(0xffff)))
                .hasToString("00:ff:ff:ff:ff:12:40:1b:ff:ff:00:00:00:00:00:00:ff:ff:ff:ff");
    }
}
