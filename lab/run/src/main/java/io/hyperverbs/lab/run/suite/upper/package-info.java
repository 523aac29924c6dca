/**
 * Figures of what runs above verbs, where rounds are jobs or sockets: MPI, kernels of NAS, shared memory, IP; and the list
 * of all figures ({@link io.hyperverbs.lab.run.suite.upper.SuiteFigures}). One thread.
 */
@NullMarked
package io.hyperverbs.lab.run.suite.upper;

import org.jspecify.annotations.NullMarked;
