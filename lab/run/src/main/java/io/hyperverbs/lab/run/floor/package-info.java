/**
 * What the computer itself takes for what an HCA does: the same processes, memory and waiting, and no HCA. A floor's
 * processes are those of {@link io.hyperverbs.lab.run.floor.FloorParty}; {@link io.hyperverbs.lab.run.floor.FloorRun}
 * starts them and asks for rounds.
 */
@NullMarked
package io.hyperverbs.lab.run.floor;

import org.jspecify.annotations.NullMarked;
