package io.hyperverbs.hca.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.Gid;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortSettingsTest {
    @Test
    void aPortWithAnAddressHasASecondGid() {
        PortSettings none = new PortSettings(2, 3, 2048, List.of(0xffff));
        PortSettings wired = new PortSettings(
                2, 3, 2048, List.of(0xffff), List.of(Ipv4.parse("127.10.0.1"), Ipv4.parse("127.10.0.2")));
        Gid mapped = Gid.parse("0000:0000:0000:0000:0000:ffff:7f0a:0002");

        assertThat(none.gids()).isOne();
        assertThat(wired.gids()).isEqualTo(2);
        assertThat(wired.gid(2, 0)).isEqualTo(none.gid(2));
        assertThat(wired.gid(2, 1)).isEqualTo(mapped);
        assertThat(wired.lidOf(mapped)).isEqualTo(4);
        assertThat(wired.lidOf(wired.domainGid(7))).isEqualTo(3);
        assertThat(none.lidOf(mapped)).isZero();
    }

    @Test
    void gidsOfAnotherHcaLeadToItsPorts() {
        PortSettings here = PortSettings.standard(3, 2048);
        PortSettings there = PortSettings.standard(7, 2048);

        assertThat(here.lidOf(there.gid(1))).isEqualTo(7);
        assertThat(here.lidOf(there.gid(2))).isEqualTo(8);
        assertThat(here.lidOf(there.domainGid(5))).isEqualTo(7);
        assertThat(here.lidOf(new Gid(Gid.LINK_LOCAL_PREFIX, 77))).isZero();
        assertThat(here.lidOf(new Gid(Gid.LINK_LOCAL_PREFIX, there.nodeGuid() + PortSettings.MAX_PORTS + 1)))
                .isZero();
    }

    @Test
    void aGidSaysWhichHcaGivesIt() {
        PortSettings ports = new PortSettings(2, 0x123, 2048, List.of(0xffff));
        for (Gid own : List.of(ports.gid(1), ports.gid(2), ports.domainGid(1), ports.domainGid(0xffff))) {
            assertThat(PortSettings.firstLidOf(own)).as(own.toString()).isEqualTo(0x123);
        }
        long prefix = Gid.LINK_LOCAL_PREFIX;
        long id = ports.gid(1).interfaceId();
        for (Gid other : List.of(
                Gid.ofIpv4(0x0a00_0001),
                new Gid(prefix + 1, id),
                new Gid(prefix, id + (1L << 40)),
                new Gid(prefix, id - 1),
                new Gid(prefix, id + PortSettings.MAX_PORTS))) {
            assertThat(PortSettings.firstLidOf(other)).as(other.toString()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.04", "1.2.3.-4", "a.b.c.d", "1.2.3.4 "})
    void addressesAreFourNumbers(String text) {
        assertThatThrownBy(() -> Ipv4.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void addressesAreReadAsTheyAreWritten() {
        for (String text : List.of("0.0.0.0", "127.0.0.1", "223.255.255.254", "255.255.255.255")) {
            assertThat(Ipv4.text(Ipv4.parse(text))).isEqualTo(text);
        }
        assertThat(Ipv4.isHosts(Ipv4.parse("223.0.0.1"))).isTrue();
        assertThat(Ipv4.isHosts(Ipv4.parse("224.0.0.1"))).isFalse();
        assertThat(Ipv4.isHosts(Ipv4.parse("0.0.0.1"))).isFalse();
    }
}
