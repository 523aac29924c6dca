package io.hyperverbs.vmm.sandbox;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What executables of the computer see in a guest, besides what its driver sees.
 *
 * @param libraries folder of C libraries that they load in place of the computer's; empty where there are none
 * @param shown folder of the files that they find by the names of {@link GuestNetwork#files}
 * @param network namespace that the guest joins; empty for one of its own
 */
public record ExecutableView(Optional<Path> libraries, Path shown, Optional<Path> network) {}
