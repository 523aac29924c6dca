package io.hyperverbs.toolstack.resource;

import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A kind of object that {@code rdma resource show} lists.
 *
 * @param word its name on the command line
 * @param table where its entries lie
 * @param columns from the one that names the object to {@code pid} and {@code comm}
 */
public record Resource(String word, Table table, List<Column> columns) {
    /** Reads a field of an entry: {@code SomeContextLayout::get}. */
    @FunctionalInterface
    public interface Getter<F> {
        long get(MemorySegment memory, long entry, F field);
    }

    /** A key and the field that it shows. */
    public record NamedField<F>(String name, F field) {}

    public Resource {
        columns = List.copyOf(columns);
    }

    /**
     * A kind of which an entry is shown as {@code dev CARD key value ... pid PID comm DOMAIN}.
     *
     * @param domain the field with the owner's id
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <F> Resource of(
            String word, Table table, Getter<F> getter, F domain, NamedField<F>... keys) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("dev", Entry::card));
        for (NamedField<F> key : keys) {
            columns.add(column(key, getter));
        }
        owner(columns, getter, domain);
        return new Resource(word, table, columns);
    }

    static <F> Column column(NamedField<F> key, Getter<F> getter) {
        return new Column(key.name(), e -> getter.get(e.memory(), e.offset(), key.field()));
    }

    static <F> void owner(List<Column> columns, Getter<F> getter, F domain) {
        columns.add(new Column("pid", e -> e.pidOf(getter.get(e.memory(), e.offset(), domain))));
        columns.add(new Column("comm", e -> e.nameOf(getter.get(e.memory(), e.offset(), domain))));
    }
}
