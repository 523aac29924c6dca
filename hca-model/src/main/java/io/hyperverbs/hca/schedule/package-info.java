/**
 * The scheduler: {@link io.hyperverbs.hca.schedule.QpArbiter} shares the engine between domains,
 * {@link io.hyperverbs.hca.schedule.TimerWheel} wakes what waits. Both know queue pairs by index.
 * Engine thread only; nothing here allocates after construction.
 */
@NullMarked
package io.hyperverbs.hca.schedule;

import org.jspecify.annotations.NullMarked;
