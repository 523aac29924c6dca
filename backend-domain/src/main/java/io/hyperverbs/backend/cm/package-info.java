/**
 * What a connection is to the connection manager (IBA ch. 12): {@link
 * io.hyperverbs.backend.cm.ConnectionMoves} is the table of its states. {@link
 * io.hyperverbs.backend.cm.RemoteConnections} carries its messages to other HCAs and back. Knows no sessions; called
 * under the lock of {@link io.hyperverbs.backend.management.Management}.
 */
@NullMarked
package io.hyperverbs.backend.cm;

import org.jspecify.annotations.NullMarked;
