/**
 * Management datagrams (IBA vol. 1, 13.4) of QP1 as they cross the network: 256 bytes, big-endian. {@link
 * io.hyperverbs.backend.mad.MadHeaderLayout} begins each; there is one layout class for each message of
 * connection management (IBA 12.6, class 0x07) and for what subnet administration is asked (IBA 15.2, class
 * 0x03). A layout is a list of fields ({@link io.hyperverbs.backend.mad.NumberField}, {@link
 * io.hyperverbs.backend.mad.GidField}, {@link io.hyperverbs.backend.mad.DataField}).
 *
 * <p>All is stateless and callable from any thread. Nothing throws for what a datagram says: a field has as many
 * bits as it has, and what its number means is for the reader to check. No guest sees a datagram.
 */
@NullMarked
package io.hyperverbs.backend.mad;

import org.jspecify.annotations.NullMarked;
