/**
 * Programs that run inside domains, written against verbs-api alone: {@link
 * io.hyperverbs.toolstack.programs.PingPong} and what {@code hv bench} measures with ({@link
 * io.hyperverbs.toolstack.programs.BenchProgram}). Each runs on the main thread of its domain.
 */
@NullMarked
package io.hyperverbs.toolstack.programs;

import org.jspecify.annotations.NullMarked;
