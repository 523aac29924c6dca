package io.hyperverbs.toolstack.commands;

import picocli.CommandLine.Option;

/** Options of commands that start a machine. */
final class LaunchOptions {
    @Option(
            names = "--insecure-no-isolation",
            description = "Run guests without a sandbox if none works here.")
    boolean insecure;
}
