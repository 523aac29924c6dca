/**
 * Subnet administration (IBA ch. 15) at API level: management datagrams never reach a guest, the
 * queries are forwarded like privileged verbs (Liu 2006 §4.4). {@link
 * io.hyperverbs.verbs.sa.SubnetAdministration} is had from a context; any thread.
 */
@NullMarked
package io.hyperverbs.verbs.sa;

import org.jspecify.annotations.NullMarked;
