package io.hyperverbs.launcher.topology;

import static io.hyperverbs.launcher.topology.TopologyLoaderTest.HEAD;
import static io.hyperverbs.launcher.topology.TopologyLoaderTest.failure;
import static io.hyperverbs.launcher.topology.TopologyLoaderTest.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P_Keys of guests in topologies; the HCA has 0xffff, 0x8001 and 0x0001. */
class PartitionReaderTest {
    private static final String ADDRESS = "executables: {}, ip: { address: 10.1.0.1/24";

    private static String guest(String text) {
        return HEAD + "guests:\n  a: { " + text + " }\n";
    }

    @Test
    void aGuestMayUseTheKeysThatItsFileSays() throws HvException {
        Topology topology = parse(HEAD
                + "defaults: { guest: { pkeys: [0x8001] } }\nguests: { a: { pkeys: [0x0001, '0xffff'] }, b: {} }\n");

        assertThat(topology.guests())
                .extracting(guest -> guest.settings().get("pkeys"))
                .containsExactly("0x0001,0xffff", "0x8001");
        assertThat(topology.guests().getFirst().onPath("forwarded").pkeys()).containsExactly(0x0001, 0xffff);
    }

    @Test
    void aGuestMayUseAllOfItsHcaUnlessTheFileSaysSo() throws HvException {
        assertThat(parse(HEAD + "guests: 1\n").guests().getFirst().settings()).doesNotContainKey("pkeys");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pkeys: [0x8002]          | guests.a.pkeys   | pkeys: hv0 has no P_Key 0x8002 | pkeys of the HCA lists"
                        + " those it has",
                "pkeys: [0x7fff]          | guests.a.pkeys   | pkeys: hv0 has no P_Key 0x7fff | pkeys of the HCA lists"
                        + " those it has",
                "pkeys: [0x8000]          | guests.a.pkeys.0 | P_Key 0x8000 names no partition | 0xffff is the default"
                        + " partition",
                "pkeys: [0xffff, 0xffff]  | guests.a.pkeys.1 | P_Key 0xffff is there twice | ''"
            })
    void saysWhatIsWrongWithKeys(String keys, String path, String what, String hint) {
        assertThat(failure(guest(keys)).problems())
                .extracting(Problem::path, Problem::what, Problem::hint)
                .containsExactly(tuple(path, what, hint));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ", pkey: 0x8002 }         | ip: hv0 has no P_Key 0x8002 | pkeys of the HCA lists those it has",
                "}, pkeys: [0x8001]       | ip: a has no P_Key 0xffff   | pkeys of the guest lists those it has"
            })
    void anAddressIsInAPartitionOfItsGuest(String rest, String what, String hint) {
        assertThat(failure(guest(ADDRESS + rest)).problems())
                .extracting(Problem::path, Problem::what, Problem::hint)
                .containsExactly(tuple("guests.a.ip", what, hint));
    }

    @Test
    void aLimitedMemberIsOnNoLink() {
        assertThat(failure(guest(ADDRESS + ", pkey: 1 }")).problems())
                .extracting(Problem::path, Problem::what, Problem::hint)
                .containsExactly(tuple(
                        "guests.a.ip.pkey", "pkey: 0x0001 is a limited member's", "full members' have the bit 0x8000"));
    }
}
