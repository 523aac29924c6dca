package io.hyperverbs.vmm.sandbox;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What executables of the computer see in a guest, besides what its driver sees.
 *
 * @param libraries folder of C libraries that they load in place of the computer's; empty where there are none
 * @param etc folder of files that they find in {@code /etc}
 * @param network namespace that the guest joins; empty for one of its own
 */
public record ExecutableView(Optional<Path> libraries, Path etc, Optional<Path> network) {}
