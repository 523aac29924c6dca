package io.hyperverbs.launcher.context;

import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.launcher.output.Listing;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind of object of which the HCA has a table.
 *
 * @param word its name on the command line
 * @param table where its entries lie
 * @param columns from the one that names the object to {@code pid} and {@code comm}
 */
record TableResource(String word, Table table, List<Column> columns) implements Resource {
    /** Reads a field of an entry: {@code SomeContextLayout::get}. */
    @FunctionalInterface
    interface Getter<F> {
        long get(MemorySegment memory, long entry, F field);
    }

    /** A key and the field that it shows. */
    record NamedField<F>(String name, F field) {}

    TableResource {
        columns = List.copyOf(columns);
    }

    /**
     * A kind of which an entry is shown as {@code dev CARD key value ... pid PID comm DOMAIN}.
     *
     * @param domain the field with the owner's id
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    static <F> Resource of(String word, Table table, Getter<F> getter, F domain, NamedField<F>... keys) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("dev", Entry::hca));
        for (NamedField<F> key : keys) {
            columns.add(column(key, getter));
        }
        owner(columns, getter, domain);
        return new TableResource(word, table, columns);
    }

    @Override
    public Listing list(Inventory inventory) {
        Listing listing = new Listing(
                Resources.SCHEMA, word, columns.stream().map(Column::name).toList());
        for (long offset : inventory.hca().entries(table)) {
            Entry entry = new Entry(inventory.hca().memory(), offset, inventory.name(), inventory.domains());
            List<@Nullable Object> row = new ArrayList<>();
            for (Column column : columns) {
                row.add(column.value().of(entry));
            }
            listing.row(row);
        }
        return listing;
    }

    static <F> Column column(NamedField<F> key, Getter<F> getter) {
        return new Column(key.name(), e -> getter.get(e.memory(), e.offset(), key.field()));
    }

    static <F> void owner(List<Column> columns, Getter<F> getter, F domain) {
        columns.add(new Column("pid", e -> e.pidOf(getter.get(e.memory(), e.offset(), domain))));
        columns.add(new Column("comm", e -> e.nameOf(getter.get(e.memory(), e.offset(), domain))));
    }
}
