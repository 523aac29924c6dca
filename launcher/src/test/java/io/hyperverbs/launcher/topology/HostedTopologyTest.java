package io.hyperverbs.launcher.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.launcher.failure.HvException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostedTopologyTest {
    private static final KnownPrograms NO_PROGRAMS = new KnownPrograms() {
        @Override
        public List<String> attacks() {
            return List.of();
        }

        @Override
        public Optional<String> peer(Guest.App app) {
            return Optional.empty();
        }
    };

    private static final String HOSTS = "{ n1: { address: 10.9.0.1 }, n2: { address: 10.9.0.2, target: node-2 } }";

    private static Topology parse(String hosts, String hcas, String guests) throws HvException {
        String text = "apiVersion: hv/v1\nname: two\n%s\n%s\nguests: %s\n".formatted(hosts, hcas, guests);
        return TopologyLoader.parse("two.hv.yaml", text, NO_PROGRAMS);
    }

    @Test
    void aPartHasItsHostsHcasAndTheirGuestsAndKnowsTheOthers() throws Exception {
        Topology whole = parse(
                "hosts: " + HOSTS,
                "hcas: { hv0: { host: n1 }, hv1: { host: n2 }, hv2: { host: n2, address: 10.9.0.3 } }",
                "{ a: {}, b: { hca: hv1 }, c: { hca: hv2 }, d: {} }");

        Topology part = whole.part("n2");

        assertThat(part.name()).isEqualTo("two@n2");
        assertThat(Topology.wholeName(part.name())).isEqualTo("two");
        assertThat(part.hcas()).extracting(HcaSpec::name).containsExactly("hv1", "hv2");
        assertThat(part.guests()).extracting(Guest::name).containsExactly("b", "c");
        assertThat(part.hosts().elsewhere()).extracting(HcaSpec::name).containsExactly("hv0");
        assertThat(whole.part("n1").guests()).extracting(Guest::hca).containsOnly("hv0");
        assertThat(whole.hosts().all()).extracting(HostSpec::target).containsExactly("n1", "node-2");
    }

    @Test
    void aPortHasItsHostsAddressAndAnHcaOnePort() throws Exception {
        Topology whole = parse("hosts: " + HOSTS, "hcas: { hv0: { host: n1 }, hv1: { host: n2 } }", "2");

        for (HcaSpec hca : whole.hcas()) {
            assertThat(hca.ports().count()).isEqualTo(1);
        }
        assertThat(whole.hcas().get(1).stated()).containsExactly(Ipv4.parse("10.9.0.2"));
        assertThat(whole.hcas().get(1).ports().firstLid()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        { hv0: { host: n1 }, hv1: {} }                               | HCA hv1 is on no host
        { hv0: { host: n1 }, hv1: { host: n3 } }                     | host: no host n3
        { hv0: { host: n1 } }                                        | no HCA is on host n2
        { hv0: { host: n1 }, hv1: { host: n1 }, hv2: { host: n2 } }  | hv0.address has 10.9.0.1 of host n1 already
        { hv0: { host: n1, ports: 2 }, hv1: { host: n2 } }           | hv0 has a second port without an address
        { a: { host: n1 }, hv1: { host: n2 } }                       | name 'a' is that of an HCA
        """)
    void saysWhatIsWrongWithPlaces(String hcas, String what) {
        assertThatThrownBy(() -> parse("hosts: " + HOSTS, "hcas: " + hcas, "{ a: {} }"))
                .isInstanceOfSatisfying(
                        HvException.class,
                        e -> assertThat(e.problems())
                                .extracting(problem -> problem.line() + " " + problem.text())
                                .anyMatch(text -> text.contains(what) && !text.startsWith("0 ")));
    }

    @Test
    void refusesHostsWithoutNamedHcasAndHcasOfNoHost() {
        assertThatThrownBy(() -> parse("hosts: " + HOSTS, "hca: {}", "1")).hasMessageContaining("hosts without hcas");
        assertThatThrownBy(() -> parse("", "hcas: { hv0: { host: n1 } }", "1"))
                .hasMessageContaining("the topology has no hosts");
        assertThatThrownBy(() -> parse(
                        "hosts: { n1: { address: 10.9.0.1 }, n2: { address: 10.9.0.1 } }",
                        "hcas: { hv0: { host: n1 }, hv1: { host: n2, address: 10.9.0.2 } }",
                        "1"))
                .hasMessageContaining("n1 has 10.9.0.1 already");
    }
}
