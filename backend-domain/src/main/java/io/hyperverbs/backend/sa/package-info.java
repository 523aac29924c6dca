/**
 * Subnet administration between HCAs (IBA ch. 15): who of another HCA's guests is meant by a name or a GID. No one HCA
 * knows all guests, so each is asked for its own: {@link io.hyperverbs.backend.sa.GuestDirectory} asks the {@link
 * io.hyperverbs.backend.sa.NeighbourHcas} and remembers for a moment, {@link io.hyperverbs.backend.sa.GuestAnswers} answers
 * them. A guest is a service record ({@link io.hyperverbs.backend.sa.GuestRecords}). Called under the lock of {@link
 * io.hyperverbs.backend.management.Management}; nothing here waits.
 */
@NullMarked
package io.hyperverbs.backend.sa;

import org.jspecify.annotations.NullMarked;
