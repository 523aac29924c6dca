/** How messages and data go from node to node: what the node needs of it, and a network of threads. */
@NullMarked
package io.hyperverbs.upper.dsm.network;

import org.jspecify.annotations.NullMarked;
