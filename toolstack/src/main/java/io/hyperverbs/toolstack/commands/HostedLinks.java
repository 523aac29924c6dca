package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.hosts.HostPlace;
import io.hyperverbs.launcher.hosts.HostedTopology;
import io.hyperverbs.launcher.hosts.HostedTopology.Answer;
import io.hyperverbs.launcher.node.wire.CommandLine;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.output.Listing;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** {@code hv link} over hosts: each lists the directions to its HCAs, and changes its own end of a link. */
final class HostedLinks {
    private final CommandContext context;
    private final HostedTopology topology;
    private final HostedCommands hosts;

    HostedLinks(CommandContext context, HostedTopology topology, HostedCommands hosts) {
        this.context = context;
        this.topology = topology;
        this.hosts = hosts;
    }

    /** Returns the worst of the hosts' exit codes. */
    int run(LinkCommand command) throws HvException, InterruptedException {
        CommandLine.Builder line = CommandLine.newBuilder().addWords("link");
        if (!command.name.isEmpty()) {
            line.addWords(command.name);
        }
        boolean lists = command.words.isEmpty();
        line.addAllWords(lists ? List.of("--format", "json") : command.words);
        Map<HostPlace, Answer> answers = topology.runOn(
                ends(command.name), line.build(), context.options().timeoutOr(HostedCommands.QUICK));
        int exit = ExitCode.OK.number();
        for (Map.Entry<HostPlace, Answer> entry : answers.entrySet()) {
            hosts.complain(entry.getKey(), entry.getValue());
            exit = Math.max(exit, entry.getValue().exit());
        }
        if (lists) {
            list(answers);
        }
        return exit;
    }

    /** Hosts that have an end of a link; all without a name. What no host has is asked of one, which says so. */
    private List<HostPlace> ends(String link) {
        List<HostPlace> all = topology.hosts();
        if (link.isEmpty()) {
            return all;
        }
        List<String> hcas = List.of(link.split("-", -1));
        List<HostPlace> ends = all.stream()
                .filter(host -> host.domains().stream().anyMatch(hcas::contains))
                .toList();
        return ends.size() > 2 || ends.isEmpty() ? all.subList(0, 1) : ends;
    }

    private void list(Map<HostPlace, Answer> answers) throws HvException {
        List<String> columns = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Map.Entry<HostPlace, Answer> entry : answers.entrySet()) {
            String host = entry.getKey().name();
            String out = entry.getValue().out();
            if (out.isBlank()) {
                continue;
            }
            try {
                for (JsonNode link : Json.parse(out).path("links")) {
                    if (columns.isEmpty()) {
                        columns.add("host");
                        columns.addAll(link.propertyNames());
                    }
                    rows.add(row(host, columns, link));
                }
            } catch (JacksonException e) {
                throw HostedCommands.noJson(host, e);
            }
        }
        if (rows.isEmpty()) {
            return;
        }
        Listing listing = new Listing("hv.link/1", "links", columns);
        rows.forEach(listing::row);
        context.folded(listing.render(context.options().format()));
    }

    private static List<@Nullable Object> row(String host, List<String> columns, JsonNode link) {
        List<@Nullable Object> row = new ArrayList<>();
        row.add(host);
        for (String column : columns.subList(1, columns.size())) {
            JsonNode value = link.path(column);
            row.add(value.isIntegralNumber() ? (Object) value.asLong() : value.isString() ? value.asString() : null);
        }
        return row;
    }
}
