package io.hyperverbs.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.BuiltIn;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.KnownPrograms;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyLoader;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PortAddressesTest {
    static final KnownPrograms NONE = new KnownPrograms() {
        @Override
        public List<String> attacks() {
            return List.of();
        }

        @Override
        public Optional<String> peer(io.hyperverbs.launcher.topology.Guest.App app) {
            return Optional.empty();
        }
    };

    private static List<Integer> addresses(Topology topology) {
        return topology.hcas().stream()
                .flatMap(hca -> hca.ports().addresses().stream())
                .toList();
    }

    @Test
    void anHcaAloneIsOnNoWire() throws HvException {
        Topology one = BuiltIn.find("pair").orElseThrow();

        assertThat(PortAddresses.choose(one, address -> false)).isEqualTo(one);
    }

    @Test
    void allPortsAreOfOneNetworkOfTheTopologysName() throws HvException {
        Topology two = BuiltIn.find("star,hcas=2").orElseThrow();

        List<Integer> chosen = addresses(PortAddresses.choose(two, address -> true));

        assertThat(chosen).hasSize(4).doesNotHaveDuplicates();
        assertThat(chosen).allMatch(address -> address >>> 8 == chosen.getFirst() >>> 8);
        assertThat(chosen.getFirst() >>> 24).isEqualTo(127);
        assertThat(chosen.getFirst() >>> 16 & 0xff).isPositive();
        assertThat(addresses(PortAddresses.choose(two, address -> true))).isEqualTo(chosen);
        assertThat(addresses(PortAddresses.choose(BuiltIn.find("pair,hcas=2").orElseThrow(), address -> true)))
                .isNotEqualTo(chosen);
    }

    @Test
    void aNetworkInUseIsPassedOver() throws HvException {
        Topology two = BuiltIn.find("pair,hcas=2").orElseThrow();
        int last = addresses(PortAddresses.choose(two, address -> true)).getLast();

        List<Integer> chosen = addresses(PortAddresses.choose(two, address -> address != last));

        assertThat(chosen.getFirst() >>> 8).isNotEqualTo(last >>> 8);
    }

    @Test
    void whatIsStatedStays() throws HvException {
        Topology topology = TopologyLoader.parse(
                "t", "apiVersion: hv/v1\nname: t\nhcas: { x: { address: 10.1.2.3 }, y: {} }\nguests: 1\n", NONE);

        List<HcaSpec> hcas = PortAddresses.choose(topology, address -> true).hcas();

        assertThat(hcas.getFirst().ports().addresses()).startsWith(Ipv4.parse("10.1.2.3"));
        assertThat(hcas.get(1).ports().addresses()).allMatch(address -> address >>> 24 == 127);
        HvException taken = catchThrowableOfType(
                HvException.class, () -> PortAddresses.choose(topology, address -> address != Ipv4.parse("10.1.2.3")));
        assertThat(taken.exit()).isEqualTo(ExitCode.CONFLICT);
        assertThat(taken).hasMessageContaining("address 10.1.2.3 of x cannot be used");
    }

    @Test
    void withoutAFreeNetworkNothingStarts() throws HvException {
        Topology two = BuiltIn.find("pair,hcas=2").orElseThrow();

        assertThat(catchThrowableOfType(HvException.class, () -> PortAddresses.choose(two, address -> false)))
                .hasMessageContaining("no network 127.x.y.0/24");
    }

    /** On this computer, by its sockets. */
    @Test
    void takesWhatIsFreeHere() throws HvException {
        assertThat(addresses(PortAddresses.choose(BuiltIn.find("pair,hcas=2").orElseThrow())))
                .hasSize(4);
    }
}
