/**
 * Programs inside a guest: {@link io.hyperverbs.frontend.program.LoadedProgram} runs one main class as
 * the java launcher would, {@link io.hyperverbs.frontend.program.ProgramQueue} those that the
 * toolstack names in the store. Each runs in a thread of its own with the domain bound.
 */
@NullMarked
package io.hyperverbs.frontend.program;

import org.jspecify.annotations.NullMarked;
