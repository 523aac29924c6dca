/**
 * The network interface of a domain whose packets a program carries: {@link io.hyperverbs.verbs.ip.IpInterface}, which a
 * domain has or has not. Its two directions are for one thread each.
 */
@NullMarked
package io.hyperverbs.verbs.ip;

import org.jspecify.annotations.NullMarked;
