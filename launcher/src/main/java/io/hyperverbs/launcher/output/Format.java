package io.hyperverbs.launcher.output;

/** Form of what goes to standard output. */
public enum Format {
    TABLE,
    JSON,
    JSONL,
    CSV
}
