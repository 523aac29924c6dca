/**
 * Running machines: where their state lies ({@link io.hyperverbs.toolstack.machine.StateRoot}), how
 * they are started ({@link io.hyperverbs.toolstack.machine.MachineLauncher}) and taken down ({@link
 * io.hyperverbs.toolstack.machine.RunningMachine}). Callable from any thread where not said otherwise.
 */
@NullMarked
package io.hyperverbs.toolstack.machine;

import org.jspecify.annotations.NullMarked;
