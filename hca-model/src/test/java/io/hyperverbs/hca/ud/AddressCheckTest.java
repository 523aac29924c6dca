package io.hyperverbs.hca.ud;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each field of an address at its edges, and LIDs and GIDs of ports and groups with each other. */
class AddressCheckTest {
    private static final PortSettings PORTS = PortSettings.standard(1, 2048);
    private static final Gid PORT = PORTS.gid(1);
    private static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 5);
    private static final Gid NEARLY_A_GROUP = new Gid(0xfe12_0000_0000_0000L, 5);

    private static String refuse(AddressAttributes address) {
        return AddressCheck.refuse(address, PORTS);
    }

    private static AddressAttributes with(int port, int level, int bits, int rate) {
        return new AddressAttributes(port, 5, level, bits, rate, null);
    }

    private static AddressAttributes routed(int flow, int gidIndex, int hops, int traffic) {
        return AddressAttributes.of(5).withRoute(new GlobalRoute(PORT, flow, gidIndex, hops, traffic));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, 0, 0",
        "2, 15, 0, 255",
        "1, 7, 0, 1",
    })
    void takesWhatIsInRange(int port, int level, int bits, int rate) {
        assertThat(refuse(with(port, level, bits, rate))).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, port 0",
        "3, 0, 0, 0, port 3",
        "-1, 0, 0, 0, port -1",
        "1, -1, 0, 0, service level -1",
        "1, 16, 0, 0, service level 16",
        "1, 0, 1, 0, source path bits 1",
        "1, 0, -1, 0, source path bits -1",
        "1, 0, 0, -1, static rate -1",
        "1, 0, 0, 256, static rate 256",
    })
    void refusesWhatIsNot(int port, int level, int bits, int rate, String words) {
        assertThat(refuse(with(port, level, bits, rate))).startsWith(words);
    }

    @Test
    void takesRoutesAtTheirEdges() {
        assertThat(refuse(routed(0, 0, 0, 0))).isNull();
        assertThat(refuse(routed(0xf_ffff, 0, 0xff, 0xff))).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 1, 0, flow label -1",
        "1048576, 0, 1, 0, flow label 1048576",
        "0, -1, 1, 0, source GID index -1",
        "0, 1, 1, 0, source GID index 1",
        "0, 0, -1, 0, hop limit -1",
        "0, 0, 256, 0, hop limit 256",
        "0, 0, 1, -1, traffic class -1",
        "0, 0, 1, 256, traffic class 256",
    })
    void refusesRoutesBeyondThem(int flow, int gidIndex, int hops, int traffic, String words) {
        assertThat(refuse(routed(flow, gidIndex, hops, traffic))).startsWith(words);
    }

    @ParameterizedTest
    @CsvSource({"1", "5", "0xbfff"})
    void takesLidsOfPortsWithAndWithoutAPortsGid(String text) {
        int lid = Integer.decode(text);

        assertThat(refuse(AddressAttributes.of(lid))).isNull();
        assertThat(refuse(AddressAttributes.ofGroup(PORT, lid))).isNull();
        assertThat(refuse(AddressAttributes.ofGroup(NEARLY_A_GROUP, lid))).isNull();
        assertThat(refuse(AddressAttributes.ofGroup(GROUP, lid)))
                .isEqualTo("of LID " + lid + " and GID " + GROUP + " one is a multicast group's");
    }

    @ParameterizedTest
    @CsvSource({"0xc000", "0xc001", "0xfffe"})
    void takesLidsOfGroupsWithAGroupsGidAlone(String text) {
        int lid = Integer.decode(text);

        assertThat(refuse(AddressAttributes.ofGroup(GROUP, lid))).isNull();
        assertThat(refuse(AddressAttributes.ofGroup(PORT, lid))).startsWith("of LID " + lid);
        assertThat(refuse(AddressAttributes.of(lid)))
                .isEqualTo("of LID " + lid + " and GID none one is a multicast group's");
        assertThat(AddressCheck.refuseGroup(GROUP, lid)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"-1", "0xffff", "0x10000", "0x7fffffff", "-0x80000000"})
    void refusesWhatIsNoLid(String text) {
        int lid = Integer.decode(text);

        assertThat(refuse(AddressAttributes.of(lid))).isEqualTo("LID " + lid + ", must be 0 to 65534");
        assertThat(AddressCheck.refuseGroup(GROUP, lid)).startsWith("LID " + lid);
    }

    @Test
    void findsPortsByGidAndNoGroups() {
        assertThat(refuse(AddressAttributes.of(PORT))).isNull();
        assertThat(refuse(AddressAttributes.of(0))).isEqualTo("neither a LID nor a GID");
        assertThat(refuse(AddressAttributes.of(GROUP))).endsWith("without its LID");
    }

    @Test
    void groupsHaveAGroupsGidAndLid() {
        assertThat(AddressCheck.refuseGroup(PORT, 0xc000)).startsWith("GID " + PORT);
        assertThat(AddressCheck.refuseGroup(NEARLY_A_GROUP, 0xc000)).startsWith("GID");
        assertThat(AddressCheck.refuseGroup(GROUP, 0xbfff)).startsWith("LID 49151");
    }
}
