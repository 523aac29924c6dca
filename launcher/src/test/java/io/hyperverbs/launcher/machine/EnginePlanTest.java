package io.hyperverbs.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.BuiltIn;
import io.hyperverbs.vmm.cores.EngineCores;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnginePlanTest {
    private static final EnginePlan TWO = new EnginePlan(List.of("hv0", "hv1"), List.of());
    private static final EnginePlan MIXED = new EnginePlan(List.of("hv1"), List.of("hv0"));

    @Test
    void oneEngineNeedsNoNumbers() throws HvException {
        EnginePlan one = EnginePlan.of(BuiltIn.find("pair").orElseThrow());

        assertThat(one.settings("hv0")).isEqualTo(Map.of("hca.core", "dedicated"));
        assertThat(one.words(2)).isEmpty();
        assertThat(new EnginePlan(List.of(), List.of("hv0")).settings("any")).isEqualTo(Map.of("hca.core", "shared"));
    }

    @Test
    void eachOfSeveralKnowsItsPlace() {
        assertThat(EngineCores.of(TWO.settings("hv0"))).isEqualTo(new EngineCores(2, 0));
        assertThat(EngineCores.of(TWO.settings("hv1"))).isEqualTo(new EngineCores(2, 1));
    }

    @Test
    void domainsOfAnHcaThatSharesKeepOffTheOthersEngine() {
        assertThat(EngineCores.of(MIXED.settings("hv0"))).isEqualTo(new EngineCores(1, -1));
        assertThat(EngineCores.of(MIXED.settings("hv1"))).isEqualTo(new EngineCores(1, 0));
        assertThat(MIXED.isDedicated()).isFalse();
    }

    @Test
    void saysWhatEnginesHave() {
        assertThat(TWO.words(2)).isEqualTo("engines of hv0, hv1 share one core, programs have the other 1");
        assertThat(TWO.words(4)).isEqualTo("engines of hv0, hv1 have a core each, programs have the other 2");
        assertThat(TWO.words(1)).isEqualTo("engines of all HCAs share cores with programs");
        assertThat(MIXED.words(2))
                .isEqualTo("engines of hv1 have a core each, programs have the other 1;"
                        + " those of hv0 share cores with programs");
    }
}
