package io.hyperverbs.upper.ipoib.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MulticastGidTest {
    @ParameterizedTest
    @CsvSource({
        "224.0.0.1, 0xffff, ff12:401b:ffff:0000:0000:0000:0000:0001",
        "224.0.0.22, 0x7fff, ff12:401b:ffff:0000:0000:0000:0000:0016",
        "239.255.255.255, 0x8001, ff12:401b:8001:0000:0000:0000:0fff:ffff",
        "255.255.255.255, 0x0001, ff12:401b:8001:0000:0000:0000:ffff:ffff",
        "ff02::1, 0xffff, ff12:601b:ffff:0000:0000:0000:0000:0001",
        "ff02::1:ff22:3344, 0x1234, ff12:601b:9234:0000:0000:0001:ff22:3344",
        "ff05:1:2:3:4:5:6:7, 0x8000, ff12:601b:8000:0003:0004:0005:0006:0007",
    })
    void mapsGroups(String group, String pkey, String gid) {
        assertThat(MulticastGid.of(IpAddress.parse(group), Integer.decode(pkey)))
                .hasToString(gid)
                .matches(each -> each.isMulticast());
    }

    @Test
    void setsTheFullMemberBitOfTheBroadcastGroup() {
        assertThat(MulticastGid.broadcast(0x0001)).hasToString("ff12:401b:8001:0000:0000:0000:ffff:ffff");
        assertThat(MulticastGid.broadcast(0x8001)).isEqualTo(MulticastGid.broadcast(0x0001));
        assertThat(MulticastGid.broadcast(-1)).hasToString("ff12:401b:ffff:0000:0000:0000:ffff:ffff");
    }

    @Test
    void refusesANode() {
        assertThatThrownBy(() -> MulticastGid.of(IpAddress.parse("10.0.0.1"), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MulticastGid.of(IpAddress.parse("fe80::1"), 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
