package io.hyperverbs.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.backend.WireSettings.Neighbour;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireSettingsTest {
    private static final Map<String, String> OWN = Map.of("hca.lid", "3", "hca.addresses", "127.10.0.3,127.10.0.4");

    private static WireSettings of(String... pairs) {
        Map<String, String> settings = new HashMap<>(OWN);
        for (int i = 0; i < pairs.length; i += 2) {
            settings.put(pairs[i], pairs[i + 1]);
        }
        return WireSettings.of(settings, HcaSettings.ports(settings));
    }

    @Test
    void namesNeighboursAndTheirAddresses() {
        WireSettings wire = of(
                "wire.hv0.link", "hv0-hv1",
                "wire.hv0.ports", "1=127.10.0.1,2=127.10.0.2",
                "wire.hv2.link", "hv1-hv2",
                "wire.hv2.ports", "5=10.0.0.9");

        assertThat(wire.neighbours())
                .containsOnlyKeys("hv0", "hv2")
                .containsEntry("hv2", new Neighbour("hv1-hv2", Map.of(5, Ipv4.parse("10.0.0.9")), LinkSettings.none()));
        assertThat(wire.addresses().of(2)).isEqualTo(Ipv4.parse("127.10.0.4"));
        assertThat(wire.addresses().ofLid(2)).isEqualTo(Ipv4.parse("127.10.0.2"));
        assertThat(wire.addresses().ofLid(3)).isZero();
    }

    @Test
    void anImpairedLinkHasItsSettings() {
        WireSettings wire = of(
                "wire.hv0.link", "hv0-hv1",
                "wire.hv0.ports", "1=127.10.0.1",
                "wire.hv0.settings", "loss=0.1% delay=10us");

        assertThat(wire.neighbours().get("hv0").settings()).isEqualTo(LinkSettings.of("loss=0.1% delay=10us"));
    }

    @Test
    void settingsReachTheHcaForEachPortAndNeighbour() {
        WireSettings wire = of(
                "wire.hv0.link", "hv0-hv1",
                "wire.hv0.ports", "1=127.10.0.1,2=127.10.0.2",
                "wire.hv0.settings", "loss=0.1% delay=10us",
                "wire.hv2.link", "hv1-hv2",
                "wire.hv2.ports", "5=127.10.0.5");
        WiredHca wired = new WiredHca(wire.addresses());

        wire.impair(wired.hca());

        assertThat(wired.impaired())
                .containsExactlyInAnyOrder(
                        "1 127.10.0.1 loss=0.1% delay=10us",
                        "1 127.10.0.2 loss=0.1% delay=10us",
                        "2 127.10.0.1 loss=0.1% delay=10us",
                        "2 127.10.0.2 loss=0.1% delay=10us");
    }

    @Test
    void anHcaWithoutThosePortsRefusesThem() {
        WireSettings wire = of(
                "wire.hv0.link", "hv0-hv1",
                "wire.hv0.ports", "1=127.10.0.1",
                "wire.hv0.settings", "loss=0.1%");
        WiredHca other = new WiredHca(new WireAddresses(List.of(), Map.of()));

        assertThatThrownBy(() -> wire.impair(other.hca())).hasMessage("link hv0-hv1 from 127.10.0.1 to port 1: EINVAL");
    }

    @Test
    void refusesSettingsThatAreNone() {
        assertThatThrownBy(() ->
                        of("wire.hv0.link", "hv0-hv1", "wire.hv0.ports", "1=127.10.0.1", "wire.hv0.settings", "loss=2"))
                .hasMessage("wire.hv0.settings: loss: '2' is no number with %");
        assertThatThrownBy(() -> of("wire.hv0.settings", "loss=2%")).hasMessage("settings of no wires: [hv0]");
    }

    @Test
    void anHcaWithoutAWireHasNone() {
        WireSettings wire = WireSettings.of(Map.of(), PortSettings.standard(1, 2048));

        assertThat(wire.neighbours()).isEmpty();
        assertThat(wire.addresses().own()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        hv0-hv1 |                       | wires [hv0] to ports of []
                | 1=127.10.0.1          | wires [] to ports of [hv0]
        ' '     | 1=127.10.0.1          | names no link
        hv0-hv1 | 1                     | no LID=address
        hv0-hv1 | 0=127.10.0.1          | no LID=address
        hv0-hv1 | 1=127.10.0.1,         | no LID=address
        hv0-hv1 | 1=127.10.1            | is no IPv4 address
        hv0-hv1 | 1=239.0.0.1           | no host's address
        hv0-hv1 | 49152=127.10.0.1      | at most 49151
        hv0-hv1 | 1=127.10.0.1,1=10.0.0.1 | is there twice
        hv0-hv1 | 1=10.0.0.1,2=10.0.0.2,5=10.0.0.3 | 3 ports
        hv0-hv1 | 4=127.10.0.9          | this HCA's own
        hv0-hv1 | 1=127.10.0.4          | is another port's
        """)
    void refusesWhatIsNoNeighbour(String link, String ports, String why) {
        Map<String, String> settings = new HashMap<>(OWN);
        if (link != null) {
            settings.put("wire.hv0.link", link);
        }
        if (ports != null) {
            settings.put("wire.hv0.ports", ports);
        }

        assertThatThrownBy(() -> WireSettings.of(settings, HcaSettings.ports(settings)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void refusesUnknownKeysAndTwoHcasWithOneLid() {
        assertThatThrownBy(() -> of("wire.hv0.speed", "1")).hasMessageContaining("is no setting of a wire");
        assertThatThrownBy(() -> of("wire.Hv0.link", "1")).hasMessageContaining("is no setting of a wire");
        assertThatThrownBy(() -> of(
                        "wire.hv0.link", "hv0-hv1",
                        "wire.hv0.ports", "1=127.10.0.1",
                        "wire.hv2.link", "hv1-hv2",
                        "wire.hv2.ports", "1=127.10.0.2"))
                .hasMessageContaining("another HCA has it too");
    }

    @Test
    void anHcaWithoutAddressesHasNoNeighbours() {
        Map<String, String> settings = Map.of("wire.hv1.link", "hv0-hv1", "wire.hv1.ports", "3=127.10.0.3");

        assertThatThrownBy(() -> WireSettings.of(settings, HcaSettings.ports(settings)))
                .hasMessageContaining("without addresses");
    }

    @ParameterizedTest
    @CsvSource({"127.10.0.3, 1 addresses", "'127.10.0.3,224.0.0.1', no host's address", "'127.10.0.3,x', no IPv4"})
    void addressesAreThoseOfAllPorts(String addresses, String why) {
        Map<String, String> settings = Map.of("hca.addresses", addresses);

        assertThatThrownBy(() -> HcaSettings.ports(settings)).hasMessageContaining(why);
    }
}
