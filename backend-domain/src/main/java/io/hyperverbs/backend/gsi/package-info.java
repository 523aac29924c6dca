/**
 * The general services interface (IBA ch. 13): QP1 of the HCA's ports, by which managers of different HCAs reach each
 * other. {@link io.hyperverbs.backend.gsi.GsiPort} is what managers need of the HCA, {@link
 * io.hyperverbs.backend.gsi.Outbox} what they are going to send, {@link io.hyperverbs.backend.gsi.SourceBudgets} how
 * much of them one sender may have.
 */
@NullMarked
package io.hyperverbs.backend.gsi;

import org.jspecify.annotations.NullMarked;
