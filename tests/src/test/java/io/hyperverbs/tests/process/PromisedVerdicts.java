package io.hyperverbs.tests.process;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What {@code hv isolate --format json} may say of an attack on this computer. */
final class PromisedVerdicts {
    private PromisedVerdicts() {}

    /** Contained; or beyond a limit of which the machine said that it does not promise it. */
    static boolean isAsPromised(JsonNode found, JsonNode attack) {
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
