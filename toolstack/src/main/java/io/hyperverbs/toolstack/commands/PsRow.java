package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Units;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A line of {@code hv ps}.
 *
 * @param host null for this computer
 * @param weight null for a domain that has no share of an engine
 */
record PsRow(
        String topology,
        @Nullable String host,
        String name,
        long id,
        String kind,
        String device,
        @Nullable Long pid,
        long memoryBytes,
        DomainState state,
        HcaView.Share has,
        @Nullable Long weight,
        @Nullable Long bytesPerSecond,
        @Nullable Long messagesPerSecond,
        long upMillis) {
    private static final int AFTER_TOPOLOGY = 1;
    private static final int AFTER_KIND = 4;

    static PsRow of(String topology, DomainReport domain, HcaView.Share has, Guest.Share engine) {
        return new PsRow(
                topology,
                null,
                domain.name(),
                domain.id(),
                domain.kind().name().toLowerCase(Locale.ROOT),
                domain.hca(),
                domain.pid() == 0 ? null : domain.pid(),
                domain.memoryBytes(),
                domain.state(),
                has,
                domain.kind() == DomainKind.BACKEND ? null : (long) engine.weight(),
                engine.bytesPerSecond() == 0 ? null : engine.bytesPerSecond(),
                engine.messagesPerSecond() == 0 ? null : engine.messagesPerSecond(),
                Math.max(0, System.currentTimeMillis() - domain.startedEpochMillis()));
    }

    /** A line of another host's {@code hv ps}, in JSON. */
    static PsRow of(String topology, String host, JsonNode row) {
        return new PsRow(
                topology,
                host,
                row.path("name").asString(""),
                row.path("id").asLong(),
                row.path("kind").asString(""),
                row.path("device").asString(""),
                number(row, "pid").orElse(null),
                row.path("mem").asLong(),
                state(row.path("state").asString("")),
                new HcaView.Share(
                        row.path("qp").asInt(),
                        row.path("cq").asInt(),
                        row.path("mr").asInt(),
                        row.path("registered").asLong()),
                number(row, "weight").orElse(null),
                number(row, "rate").orElse(null),
                number(row, "msg_rate").orElse(null),
                row.path("up").asLong());
    }

    private static Optional<Long> number(JsonNode row, String key) {
        JsonNode value = row.path(key);
        return value.isNumber() ? Optional.of(value.asLong()) : Optional.empty();
    }

    private static DomainState state(String word) {
        for (DomainState state : DomainState.values()) {
            if (StateWords.state(state).value().equals(word)) {
                return state;
            }
        }
        return DomainState.CRASHED;
    }

    /**
     * Without rows.
     *
     * @param hosts with a column for the host
     * @param devices with a column for the HCA
     */
    static Table table(boolean hosts, boolean devices) {
        List<String> columns = new ArrayList<>(List.of(
                "TOPOLOGY",
                "NAME",
                "ID",
                "KIND",
                "PID",
                "MEM",
                "STATE",
                "QP",
                "CQ",
                "MR",
                "REGISTERED",
                "WEIGHT",
                "RATE",
                "MSG-RATE",
                "UP"));
        if (devices) {
            columns.add(AFTER_KIND, "DEVICE");
        }
        if (hosts) {
            columns.add(AFTER_TOPOLOGY, "HOST");
        }
        return new Table("hv.ps/1", "domains", columns.toArray(String[]::new))
                .dropFirst("MSG-RATE", "RATE", "WEIGHT", "KIND", "PID", "ID", "REGISTERED", "MR", "CQ");
    }

    void addTo(Table table, boolean hosts, boolean devices) {
        List<@Nullable Object> row = new ArrayList<>(Arrays.<@Nullable Object>asList(
                topology,
                name,
                id,
                kind,
                pid,
                size(memoryBytes),
                StateWords.state(state),
                has.qp(),
                has.cq(),
                has.mr(),
                size(has.registeredBytes()),
                weight,
                bytesPerSecond == null
                        ? null
                        : new Table.Shown(Units.formatBytes(bytesPerSecond) + "/s", bytesPerSecond),
                messagesPerSecond,
                StateWords.up(0, upMillis)));
        if (devices) {
            row.add(AFTER_KIND, device);
        }
        if (hosts) {
            row.add(AFTER_TOPOLOGY, host);
        }
        table.row(row.toArray());
    }

    private static Table.Shown size(long bytes) {
        return new Table.Shown(Units.formatBytes(bytes), bytes);
    }
}
