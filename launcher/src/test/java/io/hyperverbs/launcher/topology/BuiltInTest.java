package io.hyperverbs.launcher.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.launcher.failure.HvException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BuiltInTest {
    private static List<String> names(String spec) throws HvException {
        return BuiltIn.find(spec).orElseThrow().guests().stream()
                .map(Guest::name)
                .toList();
    }

    @Test
    void pairHasTwo() throws HvException {
        assertThat(names("pair")).containsExactly("a", "b");
        assertThat(names("pair,n=2")).containsExactly("a", "b");
    }

    @Test
    void starHasAHub() throws HvException {
        assertThat(names("star,n=3")).containsExactly("hub", "g1", "g2");
    }

    @Test
    void ringIsNumbered() throws HvException {
        assertThat(names("ring")).containsExactly("g1", "g2", "g3", "g4");
    }

    @Test
    void sourceSaysTheSame() throws HvException {
        for (String spec :
                List.of("pair", "star,n=5", "ring,n=256", "pair,hcas=2", "star,n=5,hcas=3", "ring,hcas=2,n=100")) {
            Topology topology = BuiltIn.find(spec).orElseThrow();

            assertThat(TopologyLoader.parse("x", topology.source(), new ExamplePrograms()))
                    .isEqualTo(topology);
        }
    }

    @Test
    void guestsAreDealtToHcasInTurn() throws HvException {
        Topology topology = BuiltIn.find("star,n=4,hcas=3").orElseThrow();

        assertThat(topology.guests()).extracting(Guest::hca).containsExactly("hv0", "hv1", "hv2", "hv0");
        assertThat(topology.hcas()).extracting(hca -> hca.ports().firstLid()).containsExactly(1, 3, 5);
        assertThat(topology.links()).hasSize(3);
        assertThat(BuiltIn.find("pair,hcas=1")).isEqualTo(BuiltIn.find("pair"));
    }

    @Test
    void manyGuestsShareTheHca() throws HvException {
        List<Guest> guests = BuiltIn.find("ring,n=256").orElseThrow().guests();

        assertThat(guests).allMatch(guest -> guest.quota().get("qp") == 4096 / 256);
        assertThat(BuiltIn.find("ring,n=8").orElseThrow().guests())
                .allMatch(guest -> guest.quota().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pair,n=3",
                "star,n=1",
                "ring,n=257",
                "star,n=999999999",
                "pair,hcas=0",
                "pair,hcas=65",
                "star,n=3,n=3"
            })
    void refusesNumbersThatDoNotFit(String spec) {
        assertThatThrownBy(() -> BuiltIn.find(spec)).isInstanceOf(HvException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pair.hv.yaml", "stars", "ring,m=3", "ring,n=", ""})
    void leavesOtherWordsToFiles(String spec) throws HvException {
        assertThat(BuiltIn.find(spec)).isEmpty();
    }
}
