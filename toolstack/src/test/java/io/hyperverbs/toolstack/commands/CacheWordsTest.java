package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.frontend.cache.CacheReport;
import io.hyperverbs.frontend.cache.CachedRegions;
import io.hyperverbs.launcher.output.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class CacheWordsTest {
    @Test
    void readsWhatTheDriverWrites() {
        List<String> written = new ArrayList<>();
        CacheReport report = new CacheReport(written::add, () -> 0);
        report.write(new CachedRegions(report));
        ObjectNode node = Json.object();

        CacheWords.addTo(node, written.getFirst());

        assertThat(node.get("registration_cache").toString())
                .isEqualTo("{\"hit_percent\":0.0,\"hits\":0,\"misses\":0,\"evictions\":0,\"regions\":0,\"bytes\":0}");
    }

    @Test
    void saysHowManyOfHundredWereFound() {
        ObjectNode node = Json.object();

        CacheWords.addTo(node, "hits 2 misses 1 evictions 0 regions 1 bytes 4096");

        assertThat(node.get("registration_cache").get("hit_percent").asDouble()).isEqualTo(66.7);
        assertThat(node.get("registration_cache").get("bytes").asLong()).isEqualTo(4096);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hits 1",
                "hits -1 misses 1 evictions 0 regions 1 bytes 1",
                "hits 1 misses 1 evictions 0 regions 1 bytes 99999999999999999999",
                "hits 1 misses 1 evictions 0 regions 1 bytes 1\n\u001b[2J"
            })
    void showsNothingOfWhatAGuestSaysOtherwise(String words) {
        ObjectNode node = Json.object();

        CacheWords.addTo(node, words);

        assertThat(node.isEmpty()).isTrue();
    }
}
