/**
 * What the cases stand on: {@link io.hyperverbs.lab.conformance.rig.Rig} opens {@link
 * io.hyperverbs.lab.conformance.rig.Side}s and closes everything, {@link
 * io.hyperverbs.lab.conformance.rig.Expect} compares. All of it runs on the thread of one
 * case.
 */
@NullMarked
package io.hyperverbs.lab.conformance.rig;

import org.jspecify.annotations.NullMarked;
