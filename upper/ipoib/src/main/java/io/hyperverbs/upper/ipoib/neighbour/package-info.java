/**
 * Which hardware address has which IP address on an IP over InfiniBand link: a table of neighbours, each a state
 * machine (RFC 826, RFC 4861 §7.3), with packets that wait for their address. Time is passed in; what is to be sent
 * goes to {@link io.hyperverbs.upper.ipoib.neighbour.NeighbourActions}. No input or output, no threads: one thread,
 * the link's, calls a table.
 */
@NullMarked
package io.hyperverbs.upper.ipoib.neighbour;

import org.jspecify.annotations.NullMarked;
