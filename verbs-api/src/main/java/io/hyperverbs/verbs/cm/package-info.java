/**
 * The connection manager (IBA ch. 12) in the words of librdmacm: {@link
 * io.hyperverbs.verbs.cm.ConnectionManager} resolves guests and listens, {@link
 * io.hyperverbs.verbs.cm.CmConnection} goes through REQ, REP and RTU, {@link
 * io.hyperverbs.verbs.cm.CmChannel} says what happened. Its messages are forwarded like privileged
 * verbs (Liu 2006 §4.4): no guest has QP1. Any thread.
 */
@NullMarked
package io.hyperverbs.verbs.cm;

import org.jspecify.annotations.NullMarked;
