package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DomainMovesTest {
    /** Written out once more: the table must not change unnoticed. */
    private static final Set<String> LEGAL =
            Set.of("STARTING-RUNNING", "STARTING-DYING", "RUNNING-DYING", "DYING-SHUT_DOWN", "DYING-CRASHED");

    @Test
    void everyPairOfStatesMovesOrChangesNothing() throws Exception {
        for (DomainState from : DomainState.values()) {
            for (DomainState to : DomainState.values()) {
                DomainTable table = new DomainTable();
                DomainRecord domain = domain();
                table.add(domain);
                domain.state = from;

                boolean moved = table.move(domain, to);

                assertThat(moved).isEqualTo(LEGAL.contains(from + "-" + to));
                assertThat(table.stateOf(domain)).isEqualTo(moved ? to : from);
            }
        }
    }

    @Test
    void endedDomainIsNotFoundByItsNumber() throws Exception {
        DomainTable table = new DomainTable();
        DomainRecord domain = domain();
        table.add(domain);
        assertThat(table.find(domain.id())).isSameAs(domain);

        table.move(domain, DomainState.DYING);
        table.move(domain, DomainState.CRASHED);

        assertThat(table.find(domain.id())).isNull();
        assertThat(table.find(domain.name())).isSameAs(domain);
        assertThat(table.live()).isEmpty();
    }

    private static DomainRecord domain() {
        DomainSpec spec = new DomainSpec(
                "a", DomainKind.GUEST, 4096, List.of(), Optional.empty(), List.of(), "M", List.of(), Map.of());
        DomainFolder folder = new DomainFolder(Path.of("f"), Path.of("l"));
        HcaRecord hca = new HcaRecord("hv0", new DomainTable());
        return new DomainRecord(3, spec, hca, folder, 0, new byte[] {1}, 0);
    }
}
