package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.vmm.posix.Fd;
import java.nio.file.Path;

/**
 * A domain's end of its network interface.
 *
 * @param descriptor reads and writes IP packets
 * @param mtuBytes of the longest of them
 * @param lists folder in which the kernel lists what it has of the interface's namespace
 */
public record NetworkDevice(Fd descriptor, int mtuBytes, Path lists) {}
