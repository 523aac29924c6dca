/**
 * A topology over several computers, seen by its operator: how it is started ({@link
 * io.hyperverbs.launcher.hosts.HostsLauncher}), by what means ({@link io.hyperverbs.launcher.hosts.Launcher}), what is kept
 * of it ({@link io.hyperverbs.launcher.hosts.HostsFile}), and how its hosts are asked ({@link
 * io.hyperverbs.launcher.hosts.HostClient}). Callable from any thread where not said otherwise.
 */
@NullMarked
package io.hyperverbs.launcher.hosts;

import org.jspecify.annotations.NullMarked;
