package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What {@code hv isolate --format json} may say of an attack on this computer. */
final class PromisedVerdicts {
    private PromisedVerdicts() {}

    /** These attacks were made, no other ones, and each is as promised. */
    static void assertAsPromised(JsonNode found, List<String> attacks) {
        List<String> made = new ArrayList<>();
        for (JsonNode one : found.get("attacks")) {
            made.add(one.get("case").asString());
        }
        assertThat(made).containsExactlyInAnyOrderElementsOf(attacks);
        assertThat(found.get("attacks"))
                .allSatisfy(one ->
                        assertThat(isAsPromised(found, one)).as("%s", one).isTrue());
    }

    /** Contained; or beyond a limit of which the machine said that it does not promise it. */
    private static boolean isAsPromised(JsonNode found, JsonNode attack) {
        String verdict = attack.get("verdict").asString();
        return verdict.equals("contained") || verdict.equals("not promised") && !isPromised(found, attack);
    }

    private static boolean isPromised(JsonNode found, JsonNode attack) {
        IsolationCase made =
                Isolation.cases(List.of(attack.get("case").asString())).getFirst();
        List<String> not = List.of(found.get("not_promised").asString().split(", "));
        return made.promise().map(promise -> !not.contains(promise.what())).orElse(true);
    }
}
