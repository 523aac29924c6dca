package io.hyperverbs.launcher.output;

import io.hyperverbs.vmm.text.VisibleText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rows under named columns, printed as an aligned table, as JSON, or as CSV. In JSON and CSV the
 * columns are the keys, in lower case, {@code _} for what is neither letter nor digit; {@code CPU(%)} is {@code
 * cpu_percent}, {@code TOTAL(us)} {@code total_us}, {@code POST/s} {@code post_per_s}. A null cell
 * is {@code -} in tables, empty in CSV, null in JSON.
 */
public final class Table {
    /** Room without a limit. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

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
    private List<String> dropFirst = List.of();
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
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
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

    /**
     * Says which columns a narrow terminal goes without, the least important first; those not named
     * always stay.
     */
    public Table dropFirst(String... names) {
        for (String name : names) {
            if (!columns.contains(name)) {
                throw new IllegalArgumentException("no column " + name);
            }
        }
        dropFirst = List.of(names);
        return this;
    }

    /** Text in that format, with its last line ended. */
    public String render(Format format) {
        return render(format, UNLIMITED);
    }

    /** The same, and in a table no line longer than {@code width} if that can be. */
    public String render(Format format, int width) {
        return switch (format) {
            case TABLE -> aligned(width).text();
            case JSON -> Json.pretty(object()) + "\n";
            case JSONL -> lines();
            case CSV -> csv();
        };
    }

    /** The columns that a table of that width goes without. */
    public List<String> leftOut(int width) {
        return aligned(width).leftOut();
    }

    /** All of it as one JSON object. */
    public ObjectNode object() {
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
            String key = key(columns.get(i));
            Object cell = row.get(i);
            put(object, key, cell instanceof Shown shown ? shown.value() : cell);
        }
    }

    private static String key(String column) {
        String name = column.toLowerCase(Locale.ROOT).replace("(%)", "(percent)");
        return Json.key(name.replaceAll("/s$", "_per_s").replaceAll("\\(([a-z]+)\\)$", "_$1"));
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

    private Alignment aligned(int width) {
        boolean[] numeric = new boolean[columns.size()];
        for (int i = 0; i < numeric.length; i++) {
            numeric[i] = isNumeric(i);
        }
        List<List<String>> cells =
                rows.stream().map(row -> row.stream().map(Table::cell).toList()).toList();
        return new Alignment(columns, cells, numeric, dropFirst, width);
    }

    private boolean isNumeric(int column) {
        return !rows.isEmpty()
                && rows.stream().allMatch(row -> row.get(column) == null || row.get(column) instanceof Number)
                && rows.stream().anyMatch(row -> row.get(column) != null);
    }

    private static String cell(@Nullable Object value) {
        return switch (value) {
            case null -> "-";
            case Double number -> String.format(Locale.ROOT, "%.2f", number);
            // A name or message may be a guest's: it stays in its cell and commands nothing.
            case Object other -> VisibleText.line(other.toString());
        };
    }

    private String csv() {
        StringBuilder text = new StringBuilder();
        List<String> keys = columns.stream().map(Table::key).toList();
        text.append(String.join(",", keys)).append('\n');
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
