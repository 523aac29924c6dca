package io.hyperverbs.lab.run.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExpectedTracesTest {
    @Test
    void knowsEachAttackAndNoOther() {
        assertThat(ExpectedTraces.all().keySet())
                .containsExactlyInAnyOrderElementsOf(Isolation.cases(List.of()).stream()
                        .map(IsolationCase::name)
                        .toList());
    }

    @Test
    void namesCountersThatThereAre() {
        Set<String> known = Stream.concat(
                        Arrays.stream(Counter.values()).map(Counter::text),
                        Arrays.stream(RejectedAct.values()).map(RejectedAct::text))
                .collect(Collectors.toSet());

        assertThat(ExpectedTraces.all().values())
                .allSatisfy(one -> assertThat(known).containsAll(one));
    }

    @Test
    void everyAttackOnTheHcasKeysIsSeen() {
        assertThat(ExpectedTraces.all()).allSatisfy((attack, counters) -> {
            if (attack.startsWith("keys.") || attack.startsWith("memory.")) {
                assertThat(counters).as(attack).isNotEmpty();
            }
        });
    }
}
