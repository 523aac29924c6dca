/**
 * Topology files ({@code hv/v1}): what is in them ({@link
 * io.hyperverbs.toolstack.topology.Topology}), how they are read and checked ({@link
 * io.hyperverbs.toolstack.topology.TopologyLoader}), and the built-in ones. One thread.
 */
@NullMarked
package io.hyperverbs.toolstack.topology;

import org.jspecify.annotations.NullMarked;
