package io.hyperverbs.launcher.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Topology files with several HCAs. */
class HcaReaderTest {
    private static final String HEAD = "apiVersion: hv/v1\nname: t\n";
    private static final String TWO = HEAD + "hcas: { hv0: {}, hv1: {} }\n";

    private static Topology parse(String text) throws HvException {
        return TopologyLoader.parse("t.hv.yaml", text, new ExamplePrograms());
    }

    @Test
    void readsHcasInTheirOrder() throws HvException {
        Topology topology = parse(HEAD + """
            hcas:
              west: { mtu: 4096, address: 127.10.0.1, address-2: 10.0.0.7, limits: { max-qp: 100 } }
              east:
              north: { ports: 1, core: shared }
            links: { west-east: {}, north-west: }
            guests: { a: {}, b: { hca: east } }
            """);

        assertThat(topology.hcas()).extracting(HcaSpec::name).containsExactly("west", "east", "north");
        assertThat(topology.hcas()).extracting(hca -> hca.ports().firstLid()).containsExactly(1, 3, 5);
        assertThat(topology.hcas())
                .extracting(HcaSpec::stated)
                .containsExactly(List.of(Ipv4.parse("127.10.0.1"), Ipv4.parse("10.0.0.7")), List.of(0, 0), List.of(0));
        assertThat(topology.hca().limits().maxQp()).isEqualTo(100);
        assertThat(topology.hca().ports().mtuBytes()).isEqualTo(4096);
        assertThat(topology.links()).containsExactly(new Link("west", "east"), new Link("north", "west"));
        assertThat(topology.guests())
                .extracting(guest -> topology.hcaOf(guest).name())
                .containsExactly("west", "east");
    }

    @Test
    void linksHaveSettings() throws HvException {
        Topology topology = parse(HEAD + """
            hcas: { a: {}, b: {}, c: {} }
            links:
              a-b: { loss: 0.1%, duplicate: 1%, corrupt: 0.5%, reorder: 1%, delay: 10us, jitter: 2.5us, seed: 7 }
              b-c: { rate: 10Gbit, queue: 256KiB, ecn: 32KiB-128KiB }
              a-c: { down: true, loss: 0% }
            guests: 1
            """);

        assertThat(topology.links())
                .extracting(link -> link.settings().text())
                .containsExactly(
                        "loss=0.1% duplicate=1% corrupt=0.5% reorder=1% delay=10us jitter=2500ns seed=7",
                        "rate=10Gbit queue=256KiB ecn=32KiB-128KiB", "down=true");
    }

    @Test
    void withoutLinksThereIsOneBetweenEachTwo() throws HvException {
        assertThat(parse(HEAD + "hcas: { x: {}, y: {}, z: {} }\nguests: 1\n").links())
                .extracting(Link::name)
                .containsExactly("x-y", "x-z", "y-z");
        assertThat(parse(TWO + "links: {}\nguests: 1\n").links()).isEmpty();
    }

    /** The long form of a machine with one HCA is the short one. */
    @Test
    void oneOfHcasIsAsHca() throws HvException {
        Topology topology = parse(HEAD + "hcas: { hv5: { mtu: 1024 } }\nguests: { a: { hca: hv5 } }\n");
        HcaSpec same =
                parse(HEAD + "hca: { name: hv5, mtu: 1024 }\nguests: 1\n").hca();

        assertThat(topology.hcas()).containsExactly(same);
        assertThat(same.stated()).isEmpty();
        assertThat(same.settings()).doesNotContainKey("hca.addresses").containsEntry("hca.lid", "1");
        assertThat(parse(HEAD + "hca: { address: 127.1.2.3 }\nguests: 1\n")
                        .hca()
                        .stated())
                .containsExactly(Ipv4.parse("127.1.2.3"), 0);
    }

    @Test
    void defaultsSayTheHcaOfGuestsThatNameNone() throws HvException {
        Topology topology = parse(TWO + "defaults: { guest: { hca: hv1 } }\nguests: { a: {}, b: { hca: hv0 } }\n");

        assertThat(topology.guests()).extracting(Guest::hca).containsExactly("hv1", "hv0");
    }

    @Test
    void eachHcaIsDividedAmongItsOwnGuests() throws HvException {
        Topology topology = parse(HEAD + """
            hcas: { hv0: { limits: { max-qp: 64 } }, hv1: {} }
            guests: { a: {}, b: { quota: { qp: 60 } }, c: { hca: hv1 }, d: { hca: hv1, quota: { qp: 4000 } } }
            """);

        assertThat(topology.guests())
                .extracting(guest -> guest.quota().get("qp"))
                .containsExactly(4L, 60L, 96L, 4000L);
        assertThat(topology.guests()).extracting(Guest::name).containsExactly("a", "b", "c", "d");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        hca: {}                 | hcas            | hca and hcas in one file | hca is short
        links: { hv0-hv2: {} }  | links.hv0-hv2   | no HCA hv2 | did you mean 'hv
        links: { hv0-hv1: {}, hv1-hv0: {} } | links.hv1-hv0 | is hv0-hv1 again | leave one out
        links: { hv0-hv0: {} }  | links.hv0-hv0   | to itself |
        links: { hv0: {} }      | links.hv0       | names no two HCAs | hv0-hv1
        links: { hv0-hv1: { lose: 1 } } | links.hv0-hv1.lose | unknown key 'lose' | did you mean 'loss'?
        links: { hv0-hv1: { loss: 1 } } | links.hv0-hv1.loss | loss: '1' is no number with % | for example 0.1%
        links: { hv0-hv1: { loss: 0.1%, corrupt: 101% } } | links.hv0-hv1.corrupt | '101%' is more than 100% | 0.1%
        links: { hv0-hv1: { loss: [1%] } } | links.hv0-hv1.loss | is not a string or a number |
        links: { hv0-hv1: { delay: 10 } } | links.hv0-hv1.delay | delay: '10' is no number with ns, us, ms, s | 10us
        links: { hv0-hv1: { jitter: 2m } } | links.hv0-hv1.jitter | '2m' is no number with | for example 10us
        links: { hv0-hv1: { delay: 2000s } } | links.hv0-hv1.delay | at most 60s |
        links: { hv0-hv1: { rate: 1Gbps } } | links.hv0-hv1.rate | is no number with bit, kbit, Mbit, Gbit | 10Gbit
        links: { hv0-hv1: { queue: 64KiB } } | links.hv0-hv1 | queue needs a rate | add a rate
        links: { hv0-hv1: { rate: 1Gbit, ecn: 2KiB-1KiB } } | links.hv0-hv1.ecn | the first threshold is above | 64KiB
        links: { hv0-hv1: { down: yess } } | links.hv0-hv1.down | 'yess' is not a boolean |
        links: { hv0-hv1: { seed: 1.5 } } | links.hv0-hv1.seed | 1.5 is not an integer |
        links: 3                | links           | 3 is not a mapping |
        defaults: { guest: { hca: hv9 } } | defaults.guest.hca | no HCA hv9 | did you mean
        """)
    void refusesWhatDoesNotFitTwoHcas(String line, String path, String what, String hint) {
        expect(TWO + line + "\nguests: 2\n", path, what, hint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        {}                      | hcas            | no HCA |
        { HV: {} }              | hcas.HV         | 'HV' is no name of an HCA | up to 16
        { hv0: { name: x } }    | hcas.hv0.name   | is called hv0 already | leave it out
        { hv0: { mut: 256 } }   | hcas.hv0.mut    | unknown key 'mut' | did you mean 'mtu'?
        { hv0: {}, vmm: {} }    | hcas.vmm        | the machine's own | choose another
        { hv0: { address: x } } | hcas.hv0.address | 'x' is no IPv4 address | 127.10.0.1
        { hv0: { address: 1.2.3.256 } } | hcas.hv0.address | no IPv4 address: 256 | 127.10.0.1
        { hv0: { address: 239.0.0.1 } } | hcas.hv0.address | no host's address | 127.10.0.1
        { hv0: { ports: 1, address-2: 127.1.0.1 } } | hcas.hv0.address-2 | hv0 has 1 port | leave it out
        { x: { address: 127.1.0.1 }, y: { address-2: 127.1.0.1 } } | hcas.y.address-2 | x.address has 127.1.0.1 already |
        { hv0: { pkeys: [0x8000] } } | hcas.hv0.pkeys.0 | names no partition |
        { hv0: {}, hv1: { limits: { max-qp: 10 } } } | guests.b.quota.qp | HCA hv1 has 10 | raise hcas.hv1.limits.max-qp
        """)
    void refusesWhatIsNoHca(String hcas, String path, String what, String hint) {
        expect(HEAD + "hcas: " + hcas + "\nguests: { a: {}, b: { hca: hv1, quota: { qp: 20 } } }\n", path, what, hint);
    }

    @Test
    void namesOfGuestsAndHcasDiffer() {
        expect(TWO + "guests: { hv1: {} }\n", "guests.hv1", "is that of an HCA", "choose another");
        expect(TWO + "guests: { a: { hca: h v } }\n", "guests.a.hca", "'h v' is no name of an HCA", "up to 16");
        expect(HEAD + "guests: { a: { hca: hv1 } }\n", "guests.a.hca", "no HCA hv1", "hv0");
    }

    private static void expect(String text, String path, String what, String hint) {
        HvException failure = catchThrowableOfType(HvException.class, () -> parse(text));

        assertThat(failure).as(text).isNotNull();
        assertThat(failure.exit()).isEqualTo(ExitCode.INVALID_TOPOLOGY);
        assertThat(failure.problems())
                .as(text)
                .filteredOn(problem -> problem.path().equals(path))
                .as("%s", failure.problems())
                .extracting(Problem::what, Problem::hint)
                .anySatisfy(tuple -> {
                    assertThat(tuple.toList().get(0).toString()).contains(what);
                    assertThat(tuple.toList().get(1).toString()).contains(hint == null ? "" : hint);
                });
    }
}
