package io.hyperverbs.toolstack.commands;

import picocli.CommandLine.Option;

/** Option of commands that show what guests wrote. */
final class RawOption {
    @Option(
            names = "--raw",
            description = "Pass on what guests write as it is. Without it a terminal gets their control"
                    + " characters as \\x1b, \\r, \\u202e; a pipe or a file gets them raw"
                    + " anyway.")
    boolean raw;
}
