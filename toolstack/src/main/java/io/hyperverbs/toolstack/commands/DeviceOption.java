package io.hyperverbs.toolstack.commands;

import picocli.CommandLine.Option;

/** The HCA of a machine that the user means: option -d, as of {@code ibv_devinfo}. */
final class DeviceOption {
    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "The device, such as hv0 (default: the one there is, or all).")
    String name = "";
}
