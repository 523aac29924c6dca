package io.hyperverbs.toolstack.commands;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

/** Options of commands that start a machine. */
final class LaunchOptions {
    @Option(
            names = "--insecure-no-isolation",
            description = "Run guests without a sandbox if none works here.")
    boolean insecure;

    @Option(
            names = "--sandbox",
            paramLabel = "TIER",
            description =
                    "Run guests in this sandbox tier (2, 1 or 1b), to see what it gives; the"
                            + " strongest that works is taken otherwise.")
    @Nullable String sandbox;
}
