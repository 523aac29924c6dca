package io.hyperverbs.launcher.output;

import io.hyperverbs.vmm.text.VisibleText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that people read as {@code key value key value}, as iproute2 prints them, and programs as
 * objects or CSV. A key without a value is left out of lines.
 */
public final class Listing {
    private final String schema;
    private final String rowsKey;
    private final List<String> columns;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    /**
     * @param rowsKey key of the rows in JSON
     */
    public Listing(String schema, String rowsKey, List<String> columns) {
        this.schema = schema;
        this.rowsKey = rowsKey;
        this.columns = List.copyOf(columns);
    }

    public List<String> columns() {
        return columns;
    }

    public int size() {
        return rows.size();
    }

    /** Adds a row: one value for each column. */
    public void row(List<? extends @Nullable Object> values) {
        if (values.size() != columns.size()) {
            throw new IllegalArgumentException(values.size() + " values for " + columns.size() + " columns");
        }
        rows.add(new ArrayList<>(values));
    }

    /**
     * All rows of listings of one kind. One of them may have columns more than the others, at the end.
     *
     * @param listings at least one
     */
    public static Listing join(List<Listing> listings) {
        Listing widest = listings.getFirst();
        for (Listing one : listings) {
            widest = one.columns.size() > widest.columns.size() ? one : widest;
        }
        Listing joined = new Listing(widest.schema, widest.rowsKey, widest.columns);
        for (Listing one : listings) {
            for (List<@Nullable Object> row : one.rows) {
                List<@Nullable Object> padded = new ArrayList<>(row);
                while (padded.size() < widest.columns.size()) {
                    padded.add(null);
                }
                joined.row(padded);
            }
        }
        return joined;
    }

    /** The rows with that value in that column. */
    public Listing where(String column, String value) {
        int index = columns.indexOf(column);
        Listing chosen = new Listing(schema, rowsKey, columns);
        for (List<@Nullable Object> row : rows) {
            Object cell = row.get(index);
            if (cell != null && cell.toString().equals(value)) {
                chosen.row(row);
            }
        }
        return chosen;
    }

    /** Text in that format, with its last line ended. */
    public String render(Format format) {
        return format == Format.TABLE ? lines() : table().render(format);
    }

    private String lines() {
        StringBuilder text = new StringBuilder();
        for (List<@Nullable Object> row : rows) {
            List<String> words = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                Object value = row.get(i);
                if (value != null) {
                    words.add(columns.get(i) + " " + VisibleText.line(value.toString()));
                }
            }
            text.append(String.join(" ", words)).append('\n');
        }
        return text.toString();
    }

    private Table table() {
        Table table = new Table(schema, rowsKey, columns.toArray(String[]::new));
        for (List<@Nullable Object> row : rows) {
            table.row(row.toArray(Object[]::new));
        }
        return table;
    }
}
