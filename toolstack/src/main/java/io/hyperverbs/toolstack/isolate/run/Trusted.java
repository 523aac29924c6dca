package io.hyperverbs.toolstack.isolate.run;

import java.nio.file.Path;

/**
 * A process that guests must not harm.
 *
 * @param name what people call it
 * @param log what it prints
 */
public record Trusted(String name, long pid, Path log) {
    /** Its live objects. */
    public LiveHeap heap() {
        return new LiveHeap(pid, log);
    }
}
