/**
 * Topology files ({@code hv/v1}): what is in them ({@link
 * io.hyperverbs.launcher.topology.Topology}), how they are read and checked ({@link
 * io.hyperverbs.launcher.topology.TopologyLoader}), and the built-in ones. One thread.
 */
@NullMarked
package io.hyperverbs.launcher.topology;

import org.jspecify.annotations.NullMarked;
