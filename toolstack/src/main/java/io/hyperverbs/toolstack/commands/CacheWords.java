package io.hyperverbs.toolstack.commands;

import io.hyperverbs.frontend.cache.CacheReport;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a domain says of its caches of registrations. Only the domain knows it, and it may say what
 * it likes: what are not the five numbers is not shown.
 */
final class CacheWords {
    private static final String NUMBER = " (\\d{1,18})";
    private static final Pattern REPORT = Pattern.compile(
            "hits" + NUMBER + " misses" + NUMBER + " evictions" + NUMBER + " regions" + NUMBER + " bytes" + NUMBER);

    private CacheWords() {}

    static void addTo(ObjectNode node, RunningMachine machine, String domain) throws MachineException {
        Optional<String> said = machine.client().storeRead("domain/" + domain + "/" + CacheReport.KEY, Duration.ZERO);
        said.ifPresent(words -> addTo(node, words));
    }

    static void addTo(ObjectNode node, String words) {
        Matcher report = REPORT.matcher(words);
        if (!report.matches()) {
            return;
        }
        long hits = Long.parseLong(report.group(1));
        long misses = Long.parseLong(report.group(2));
        double percent = hits + misses == 0 ? 0 : 100.0 * hits / (hits + misses);
        node.putObject("registration_cache")
                .put("hit_percent", Math.round(percent * 10) / 10.0)
                .put("hits", hits)
                .put("misses", misses)
                .put("evictions", Long.parseLong(report.group(3)))
                .put("regions", Long.parseLong(report.group(4)))
                .put("bytes", Long.parseLong(report.group(5)));
    }
}
