/**
 * A node of an IP over InfiniBand link: queue pair, groups, address resolution, and packets in both directions. Begin at
 * {@link io.hyperverbs.upper.ipoib.link.IpoibLink}; its two methods are for a thread each.
 */
@NullMarked
package io.hyperverbs.upper.ipoib.link;

import org.jspecify.annotations.NullMarked;
