/**
 * What stands between a port's network and the HCA: {@link io.hyperverbs.hca.link.ImpairedPort} loses, delays, marks
 * and spoils packets as {@link io.hyperverbs.hca.link.LinkSettings} say, drawn from a seed; {@link
 * io.hyperverbs.hca.link.Links} has one only where a link is impaired. It works on what arrives, so it needs no rights
 * on the computer's network. Engine thread only; writes {@code LinkContextLayout}; allocates nothing for a packet.
 */
@NullMarked
package io.hyperverbs.hca.link;

import org.jspecify.annotations.NullMarked;
