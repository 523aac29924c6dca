package io.hyperverbs.toolstack.commands;

import picocli.CommandLine.Option;

/** Which HCA of a machine is meant, as {@code ibv_devinfo} is told. */
final class DeviceOption {
    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "The device, such as hv0 (default: the one there is, or all).")
    String name = "";
}
