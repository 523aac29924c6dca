package io.hyperverbs.launcher.topology;

import static io.hyperverbs.launcher.topology.TopologyLoaderTest.HEAD;
import static io.hyperverbs.launcher.topology.TopologyLoaderTest.failure;
import static io.hyperverbs.launcher.topology.TopologyLoaderTest.parse;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.vmm.domain.GuestAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses for IP over InfiniBand in topologies. */
class GuestAddressesTest {
    private static String guests(String a, String b) {
        return HEAD + "guests:\n  a: { " + a + " }\n  b: { " + b + " }\n";
    }

    private static String with(String address) {
        return "executables: {}, ip: { address: " + address + " }";
    }

    @Test
    void aGuestHasAnAddressIfTheFileSaysSo() throws HvException {
        Topology topology = parse(guests(with("10.1.0.1/24"), "executables: {}"));

        assertThat(topology.guests())
                .extracting(Guest::address)
                .containsExactly(Optional.of(GuestAddress.parse("10.1.0.1/24")), Optional.empty());
        assertThat(topology.guests().getFirst().settings()).containsEntry("ip.address", "10.1.0.1/24");
        assertThat(topology.guests().getLast().settings()).doesNotContainKey("ip.address");
    }

    @Test
    void aGuestHasDatagramsUnlessTheFileSaysConnections() throws HvException {
        String connected = "executables: {}, ip: { address: 10.1.0.2/24, mode: connected, pkey: 0x8001 }";
        Topology topology = parse(guests(with("10.1.0.1/24"), connected));

        assertThat(topology.guests())
                .extracting(guest -> guest.settings().get("ip.mode"))
                .containsExactly("datagram", "connected");
        assertThat(failure(guests("executables: {}, ip: { address: 10.1.0.1/24, mode: fast }", ""))
                        .problems())
                .extracting(Problem::path)
                .containsExactly("guests.a.ip.mode");
    }

    @Test
    void aGuestThatIsChangedOtherwiseKeepsItsAddress() throws HvException {
        Guest guest = parse(guests(with("10.1.0.1/24"), "")).guests().getFirst();

        assertThat(guest.onPath("forwarded").withMemory(1 << 24).onHca("hv1").running("x"))
                .extracting(Guest::address)
                .isEqualTo(guest.address());
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.0/24,        'address: address 10.1.0/24, must be like 10.1.0.1/24'",
        "10.1.0.1,         'address: address 10.1.0.1, must be like 10.1.0.1/24'",
        "10.1.0.300/24,    'address: address 10.1.0.300/24: 300 is above 255'",
        "10.1.0.1/31,      'address: network of 10.1.0.1/31, its prefix must be 8 to 30 long'",
        "127.0.0.1/24,     'address: address 127.0.0.1/24 is no host''s'",
        "10.1.0.255/24,    'address: address 10.1.0.255/24 is that of its network, or its broadcast address'"
    })
    void saysWhatIsWrongWithAnAddress(String address, String what) {
        HvException failure = failure(guests("executables: {}", with(address)));

        assertThat(failure.exit()).isEqualTo(ExitCode.INVALID_TOPOLOGY);
        assertThat(failure.problems())
                .containsExactly(new Problem("t.hv.yaml", 5, "guests.b.ip.address", what, "such as 10.1.0.1/24"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ip: {}                                        | address
        ip: { address: 7 }                            | address
        ip: 10.1.0.1/24                               | ip
        ip: { address: 10.1.0.1/24, gateway: 10.1.0.2 } | gateway
        """)
    void theSchemaKnowsItsShape(String ip, String part) {
        assertThat(failure(guests("executables: {}, " + ip, "")).problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.line()).isEqualTo(4);
                    assertThat(problem.path()).startsWith("guests.a.ip");
                    assertThat(problem.path() + " " + problem.what()).contains(part);
                });
    }

    /** The networks' prefixes do not matter: names of guests stand for addresses alone. */
    @ParameterizedTest
    @CsvSource({"10.1.0.1/24", "10.1.0.1/16"})
    void noTwoGuestsHaveTheSameAddress(String other) {
        assertThat(failure(guests(with("10.1.0.1/24"), with(other))).problems())
                .containsExactly(new Problem(
                        "t.hv.yaml", 5, "guests.b.ip.address", "address: 10.1.0.1 is that of a", "take another"));
    }

    @Test
    void anAddressInTheDefaultsIsOneForTwo() {
        HvException failure =
                failure(HEAD + "defaults: { guest: { " + with("10.1.0.1/24") + " } }\nguests:\n  a: {}\n  b: {}\n");

        assertThat(failure.problems())
                .containsExactly(new Problem(
                        "t.hv.yaml", 6, "guests.b.ip.address", "address: 10.1.0.1 is that of a", "take another"));
        assertThat(failure(HEAD + "defaults: { guest: { " + with("10.1.0.1/24") + " } }\nguests: 2\n")
                        .problems())
                .extracting(Problem::what)
                .containsExactly("address: 10.1.0.1 is that of g1");
    }

    @Test
    void aGuestsOwnAddressGoesBeforeTheDefaults() throws HvException {
        Topology topology = parse(HEAD
                + "defaults: { guest: { " + with("10.1.0.1/24") + " } }\n"
                + "guests: { a: {}, b: { ip: { address: 10.1.0.2/24 } } }\n");

        assertThat(topology.guests())
                .extracting(guest -> guest.settings().get("ip.address"))
                .containsExactly("10.1.0.1/24", "10.1.0.2/24");
    }

    @Test
    void aGuestWithoutRoomForExecutablesHasNoUseForAnAddress() {
        assertThat(failure(guests("", "ip: { address: 10.1.0.1/24 }")).problems())
                .containsExactly(new Problem(
                        "t.hv.yaml",
                        5,
                        "guests.b.ip",
                        "ip: b has no room for executables, which use it",
                        "executables: {} in the guest gives it some"));
    }

    @Test
    void aNativeDomainNeedsNoRoomForExecutables() throws HvException {
        Topology topology = parse(HEAD + "guests: { a: { native: true, ip: { address: 10.1.0.1/24 } } }\n");

        assertThat(topology.guests().getFirst().settings()).containsEntry("ip.address", "10.1.0.1/24");
    }

    @Test
    void aGuestIsInTheDefaultPartitionUnlessTheFileSaysSo() throws HvException {
        String inPartition = "executables: {}, ip: { address: 10.1.0.2/24, pkey: 0x8001 }";
        Topology topology = parse(guests(with("10.1.0.1/24"), inPartition));

        assertThat(topology.guests())
                .extracting(guest -> guest.settings().get("ip.pkey"))
                .containsExactly("0xffff", "0x8001");
    }
}
