/**
 * What the cases stand on: {@link io.hyperverbs.toolstack.conformance.rig.Rig} opens {@link
 * io.hyperverbs.toolstack.conformance.rig.Side}s and closes everything, {@link
 * io.hyperverbs.toolstack.conformance.rig.Expect} compares. All of it runs on the thread of one
 * case.
 */
@NullMarked
package io.hyperverbs.toolstack.conformance.rig;

import org.jspecify.annotations.NullMarked;
