/**
 * Every byte on an IP over InfiniBand link (RFC 4391, 4392 and 4755): encapsulation, hardware addresses, address
 * resolution of IPv4 and IPv6, and the groups of multicast. One class for each layout; big-endian. No input or
 * output, no threads, no state: callable from any thread, on memory that nobody writes meanwhile. Bytes of other
 * nodes are checked before they are used, and what is malformed is an empty result, never an exception.
 */
@NullMarked
package io.hyperverbs.upper.ipoib.frame;

import org.jspecify.annotations.NullMarked;
