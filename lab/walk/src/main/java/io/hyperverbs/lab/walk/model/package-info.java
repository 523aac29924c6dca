/**
 * What the specification says must come of each step of a walk: {@link
 * io.hyperverbs.lab.walk.model.Model} keeps the objects, {@link
 * io.hyperverbs.lab.walk.model.ReliableTransport} moves requests, {@link
 * io.hyperverbs.lab.walk.model.MoveRules} judges {@code ibv_modify_qp}. Written from the
 * specification and not from the HCA, and shares no class with it. All on the thread of the walk.
 */
@NullMarked
package io.hyperverbs.lab.walk.model;

import org.jspecify.annotations.NullMarked;
