/**
 * Programs that run inside domains, written against verbs-api alone: {@link
 * io.hyperverbs.lab.bench.PingPong} and what {@code hv bench} measures with ({@link
 * io.hyperverbs.lab.bench.BenchProgram}). Each runs on the main thread of its domain.
 */
@NullMarked
package io.hyperverbs.lab.bench;

import org.jspecify.annotations.NullMarked;
