package io.hyperverbs.toolstack.cli;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Rows under named columns, printed as an aligned table, as JSON, or as CSV. In JSON the columns
 * are the keys, in lower case. A null cell is {@code -} in tables, empty in CSV, null in JSON.
 */
public final class Table {
    /** A cell that people read as {@code text}, and programs as {@code value}. */
    public record Shown(String text, Object value) {
        @Override
        public String toString() {
            return text;
        }
    }

    private final String schema;
    private final String rowsKey;
    private final List<String> columns;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();
    private final Map<String, Object> facts = new LinkedHashMap<>();

    /**
     * @param schema such as {@code hv.ps/1}
     * @param rowsKey key of the rows in JSON, such as {@code domains}
     */
    public Table(String schema, String rowsKey, String... columns) {
        this.schema = schema;
        this.rowsKey = rowsKey;
        this.columns = List.of(columns);
    }

    /** Adds a row of strings, integers, floating-point numbers or nulls; one for each column. */
    public Table row(@Nullable Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(
                    cells.length + " cells for " + columns.size() + " columns");
        }
        List<@Nullable Object> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell);
        }
        rows.add(row);
        return this;
    }

    /** Says something of the whole table, in JSON alone: beside the rows, or in each line. */
    public Table with(String key, Object fact) {
        facts.put(key, fact);
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Text in that format, with its last line ended. */
    public String render(Format format) {
        return switch (format) {
            case TABLE -> aligned();
            case JSON -> Json.pretty(json()) + "\n";
            case JSONL -> lines();
            case CSV -> csv();
        };
    }

    private ObjectNode json() {
        ObjectNode object = Json.object().put("schema", schema);
        facts.forEach((key, fact) -> put(object, key, fact));
        ArrayNode array = object.putArray(rowsKey);
        for (List<@Nullable Object> row : rows) {
            fill(array.addObject(), row);
        }
        return object;
    }

    private String lines() {
        StringBuilder text = new StringBuilder();
        for (List<@Nullable Object> row : rows) {
            ObjectNode object = Json.object().put("schema", schema);
            facts.forEach((key, fact) -> put(object, key, fact));
            fill(object, row);
            text.append(Json.line(object)).append('\n');
        }
        return text.toString();
    }

    private void fill(ObjectNode object, List<@Nullable Object> row) {
        for (int i = 0; i < columns.size(); i++) {
            String key = columns.get(i).toLowerCase(Locale.ROOT);
            Object cell = row.get(i);
            put(object, key, cell instanceof Shown shown ? shown.value() : cell);
        }
    }

    private static void put(ObjectNode object, String key, @Nullable Object value) {
        switch (value) {
            case null -> object.putNull(key);
            case Integer number -> object.put(key, number);
            case Long number -> object.put(key, number);
            case Double number -> object.put(key, number);
            case Boolean flag -> object.put(key, flag);
            case Object other -> object.put(key, other.toString());
        }
    }

    private String aligned() {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = columns.get(i).length();
            for (List<@Nullable Object> row : rows) {
                widths[i] = Math.max(widths[i], cell(row.get(i)).length());
            }
        }
        StringBuilder text = new StringBuilder();
        appendAligned(text, columns, widths);
        for (List<@Nullable Object> row : rows) {
            appendAligned(text, row, widths);
        }
        return text.toString();
    }

    private void appendAligned(
            StringBuilder text, List<? extends @Nullable Object> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = cell(cells.get(i));
            String padding = " ".repeat(widths[i] - cell.length());
            line.append(isNumeric(i) ? padding + cell : cell + padding).append("  ");
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private boolean isNumeric(int column) {
        return !rows.isEmpty()
                && rows.stream()
                        .allMatch(
                                row -> row.get(column) == null || row.get(column) instanceof Number)
                && rows.stream().anyMatch(row -> row.get(column) != null);
    }

    private static String cell(@Nullable Object value) {
        return switch (value) {
            case null -> "-";
            case Double number -> String.format(Locale.ROOT, "%.2f", number);
            case Object other -> other.toString();
        };
    }

    private String csv() {
        StringBuilder text = new StringBuilder();
        text.append(String.join(",", columns).toLowerCase(Locale.ROOT)).append('\n');
        for (List<@Nullable Object> row : rows) {
            List<String> cells = new ArrayList<>();
            for (Object value : row) {
                Object plain = value instanceof Shown shown ? shown.value() : value;
                cells.add(plain == null ? "" : csvCell(plain.toString()));
            }
            text.append(String.join(",", cells)).append('\n');
        }
        return text.toString();
    }

    private static String csvCell(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
