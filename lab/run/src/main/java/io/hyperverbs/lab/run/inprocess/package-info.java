/**
 * A machine without processes: {@link io.hyperverbs.lab.run.inprocess.InProcessMachine} has HCA,
 * device domain's driver and frontend drivers in one process and on one thread, with frames and grants but
 * no VMM, and {@link io.hyperverbs.lab.run.inprocess.InProcessField} walks on it. Time is a number that
 * grows while a program waits, so nothing is ever slept for, and a run is the same each time. What lies
 * between the processes of a machine (gRPC, sandboxes, the engine's thread) is not in it.
 */
@NullMarked
package io.hyperverbs.lab.run.inprocess;

import org.jspecify.annotations.NullMarked;
