package io.hyperverbs.tests.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.run.threats.Threat;
import io.hyperverbs.lab.run.threats.Threats;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of threats is whole, and what shows each row is there. */
class ThreatsTest {
    @Test
    void hasExactlyTheseRows() {
        Map<String, Integer> chapters = new LinkedHashMap<>();
        for (String chapter : List.of("A18", "B22", "C11", "D13", "E20", "F16", "G14", "H6", "M13", "N15")) {
            chapters.put(chapter.substring(0, 1), Integer.parseInt(chapter.substring(1)));
        }
        List<String> rows = chapters.entrySet().stream()
                .flatMap(one -> numbered(one.getKey(), one.getValue()))
                .toList();

        assertThat(rows).hasSize(148);
        assertThat(Threats.rows().keySet()).containsExactlyElementsOf(rows);
    }

    @Test
    void eachRowIsShownOrSaysWhyNot() throws IOException {
        Proofs proofs = new Proofs();
        Set<String> attacked = Isolation.cases(List.of()).stream()
                .map(IsolationCase::rows)
                .flatMap(List::stream)
                .collect(Collectors.toSet());

        for (Map.Entry<String, Threat> row : Threats.rows().entrySet()) {
            Threat threat = row.getValue();
            boolean shown = attacked.contains(row.getKey()) || !threat.tests().isEmpty();
            assertThat(shown)
                    .as("%s: %s", row, threat.reason())
                    .isEqualTo(threat.reason().isEmpty());
            for (String test : threat.tests()) {
                proofs.expect(test);
            }
        }
    }

    @Test
    void bugsOfOthersAreHeldOff() throws IOException {
        Proofs proofs = new Proofs();
        Map<String, Map<String, List<String>>> packs = Threats.packs();

        assertThat(packs.keySet()).containsExactly("QEMU pvrdma", "Linux rxe and siw", "Xen", "DPDK vhost", "ReDMArk");
        assertThat(packs.values()).extracting(Map::size).containsExactly(11, 17, 6, 5, 16);
        for (Map<String, List<String>> pack : packs.values()) {
            for (Map.Entry<String, List<String>> item : pack.entrySet()) {
                assertThat(item.getValue()).as(item.getKey()).isNotEmpty();
                for (String proof : item.getValue()) {
                    proofs.expect(proof);
                }
            }
        }
    }

    private static Stream<String> numbered(String letter, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(number -> letter + number);
    }
}
