/**
 * What {@code hv rdma} shows: {@link io.hyperverbs.toolstack.resource.Resources} is the table of
 * the kinds of objects in the HCA's on-board memory, {@link
 * io.hyperverbs.toolstack.resource.Statistics} adds its counters up, and {@link
 * io.hyperverbs.toolstack.resource.Listing} prints rows as iproute2 does. Everything works on a
 * copy of the memory ({@code CardView}); the HCA is not asked.
 */
@NullMarked
package io.hyperverbs.toolstack.resource;

import org.jspecify.annotations.NullMarked;
