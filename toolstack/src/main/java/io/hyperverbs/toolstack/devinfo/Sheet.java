package io.hyperverbs.toolstack.devinfo;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Named values, one a line: the name with its colon from one tab stop, the value from another. Some
 * are text alone, without a key of their own.
 */
public final class Sheet {
    private static final int TAB = 8;

    /** One line; {@code key} is empty for text alone. */
    private record Line(String key, String text, Object value) {}

    private final int nameColumn;
    private final int valueColumn;
    private final List<Line> lines = new ArrayList<>();

    /**
     * @param nameColumn where names begin, a multiple of 8
     * @param valueColumn where values begin, a multiple of 8
     */
    Sheet(int nameColumn, int valueColumn) {
        this.nameColumn = nameColumn;
        this.valueColumn = valueColumn;
    }

    /** A value that people and programs read alike. */
    Sheet add(String name, Object value) {
        return add(name, value.toString(), value);
    }

    /** A value that people read as {@code text}. */
    Sheet add(String name, String text, Object value) {
        String head = "\t".repeat(nameColumn / TAB) + name + ":";
        int width = nameColumn + name.length() + 1;
        String tabs = "\t".repeat(Math.max(1, (valueColumn - width + TAB - 1) / TAB));
        lines.add(new Line(name, head + tabs + text, value));
        return this;
    }

    /** A line without a key, at the column of the names. */
    Sheet say(String text) {
        lines.add(new Line("", "\t".repeat(nameColumn / TAB) + text, text));
        return this;
    }

    /** A line without a key, at the column of the values. */
    Sheet item(String text) {
        lines.add(new Line("", "\t".repeat(valueColumn / TAB) + text, text));
        return this;
    }

    void appendTo(StringBuilder text) {
        lines.forEach(line -> text.append(line.text).append('\n'));
    }

    void fill(ObjectNode object) {
        for (Line line : lines) {
            if (!line.key.isEmpty()) {
                switch (line.value) {
                    case Integer number -> object.put(line.key, number);
                    case Long number -> object.put(line.key, number);
                    case Object other -> object.put(line.key, other.toString());
                }
            }
        }
    }

    /** Names and values of the lines that have a key, as rows of a table. */
    void forEach(java.util.function.BiConsumer<String, Object> row) {
        for (Line line : lines) {
            if (!line.key.isEmpty()) {
                row.accept(line.key, line.value);
            }
        }
    }
}
