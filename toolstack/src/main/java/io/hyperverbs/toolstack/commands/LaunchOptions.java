package io.hyperverbs.toolstack.commands;

import io.hyperverbs.vmm.sandbox.SandboxChoice;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that start a machine. */
final class LaunchOptions {
    @Option(names = "--insecure-no-isolation", description = "Run guests without a sandbox if none works here.")
    boolean insecure;

    @Option(
            names = "--sandbox",
            paramLabel = "TIER",
            description = "Run guests in this sandbox tier (2, 1 or 1b, or with its maker as in"
                    + " 2:unshare), to see what it gives; the strongest that works is taken"
                    + " otherwise.")
    @Nullable
    SandboxChoice sandbox;

    @Option(
            names = "--no-cgroups",
            description = "Leave the computer's control groups alone, to see what the tier promises" + " without them.")
    boolean withoutGroups;
}
