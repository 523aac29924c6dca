/**
 * Packets of RoCEv2 (IBA annex A17) from the BTH to the ICRC, as they cross the network. {@link
 * io.hyperverbs.hca.wire.PacketOpcode} is the one table of opcodes: which headers a packet has and
 * where, what it may carry, what may follow. There is one layout class for each header, big-endian,
 * at any alignment. {@link io.hyperverbs.hca.wire.Icrc} computes and checks the invariant CRC.
 *
 * <p>Layouts and the table are stateless and callable from any thread; an {@code Icrc} is for one
 * thread at a time. Nothing here allocates after construction or throws for what a packet says.
 * Packets lie in memory that no guest sees.
 */
@NullMarked
package io.hyperverbs.hca.wire;

import org.jspecify.annotations.NullMarked;
