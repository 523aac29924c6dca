package io.hyperverbs.toolstack.cli;

/** Form of what goes to standard output. */
public enum Format {
    TABLE,
    JSON,
    JSONL,
    CSV
}
