/**
 * The HCA put together: {@link io.hyperverbs.hca.engine.HcaDevice} holds its tables, {@link
 * io.hyperverbs.hca.engine.Engine} does its work, turn by turn, {@link
 * io.hyperverbs.hca.engine.CommandQueue} brings commands of other threads to the engine. Shared
 * with guests: UAR pages, of which only doorbell bits are read.
 */
@NullMarked
package io.hyperverbs.hca.engine;

import org.jspecify.annotations.NullMarked;
