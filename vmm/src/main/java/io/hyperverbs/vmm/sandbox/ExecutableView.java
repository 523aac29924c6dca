package io.hyperverbs.vmm.sandbox;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What executables of the computer see in a guest, besides what its driver sees.
 *
 * @param host what the guest's host name is: the guest's own name, which stands for its address
 * @param libraries folder of C libraries that they load in place of the computer's; empty where there are none
 * @param shown folder of the files that they find by the names of {@link GuestNetwork#files}
 * @param network namespace that the guest joins; empty for one of its own
 */
public record ExecutableView(String host, Optional<Path> libraries, Path shown, Optional<Path> network) {}
