package io.hyperverbs.launcher.context;

import org.jspecify.annotations.Nullable;

/**
 * One key of a row.
 *
 * @param name as iproute2 calls it
 */
public record Column(String name, Value value) {
    /** What stands there; null: nothing, and the key is left out. */
    @FunctionalInterface
    public interface Value {
        @Nullable
        Object of(Entry entry);
    }
}
