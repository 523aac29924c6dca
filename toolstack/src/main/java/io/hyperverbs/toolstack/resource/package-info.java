/**
 * What {@code hv rdma} shows: {@link io.hyperverbs.toolstack.resource.Resources} is the table of
 * the kinds of objects, {@link io.hyperverbs.toolstack.resource.Statistics} adds its counters up,
 * and {@link io.hyperverbs.toolstack.resource.Listing} prints rows as iproute2 does. Everything
 * works on a copy of the HCA's on-board memory ({@code HcaView}); the HCA is not asked.
 * Connections alone are the backend domain's ({@link
 * io.hyperverbs.toolstack.resource.ConnectionIds}).
 */
@NullMarked
package io.hyperverbs.toolstack.resource;

import org.jspecify.annotations.NullMarked;
