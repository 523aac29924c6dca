/**
 * Decodes a copy of the HCA's context memory ({@link io.hyperverbs.launcher.context.HcaView}), without asking the HCA: what
 * it answers about itself ({@link io.hyperverbs.launcher.context.HcaDescription}), the objects that {@code hv rdma} lists
 * ({@link io.hyperverbs.launcher.context.Resources}), its counters added up
 * ({@link io.hyperverbs.launcher.context.Statistics}). Connections alone are read from the backend domain
 * ({@link io.hyperverbs.launcher.context.ConnectionIds}). For one thread.
 */
@NullMarked
package io.hyperverbs.launcher.context;

import org.jspecify.annotations.NullMarked;
