/**
 * A walk without processes: {@link io.hyperverbs.lab.run.inprocess.InProcessField} has HCA,
 * backend driver and frontend drivers in one process and on one thread, with frames and grants but
 * no VMM. Time is a number that grows while an agent waits, so nothing is ever slept for, and a
 * walk is the same each time it is made. What lies between the processes of a machine (gRPC,
 * sandboxes, the engine's thread) is not in it: that is what walks in domains are for.
 */
@NullMarked
package io.hyperverbs.lab.run.inprocess;

import org.jspecify.annotations.NullMarked;
