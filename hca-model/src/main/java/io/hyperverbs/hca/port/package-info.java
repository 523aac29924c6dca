/**
 * The ports of the HCA: {@link io.hyperverbs.hca.port.PortSettings} says which there are, {@link
 * io.hyperverbs.hca.port.PortTable} keeps their state and decides how far a queue pair's messages
 * get. Shared with tools: the port entries of the context memory. Engine thread only.
 */
@NullMarked
package io.hyperverbs.hca.port;

import org.jspecify.annotations.NullMarked;
