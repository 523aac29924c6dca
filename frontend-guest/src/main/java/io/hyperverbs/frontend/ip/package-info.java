/** The network interface of a guest with an address, for the program that carries its packets. */
@NullMarked
package io.hyperverbs.frontend.ip;

import org.jspecify.annotations.NullMarked;
