/**
 * Running machines: where their state lies ({@link io.hyperverbs.launcher.machine.StateRoot}), how
 * they are started ({@link io.hyperverbs.launcher.machine.MachineLauncher}) and taken down ({@link
 * io.hyperverbs.launcher.machine.RunningMachine}). Callable from any thread where not said otherwise.
 */
@NullMarked
package io.hyperverbs.launcher.machine;

import org.jspecify.annotations.NullMarked;
