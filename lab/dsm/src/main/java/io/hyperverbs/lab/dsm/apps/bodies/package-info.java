/**
 * Bodies that attract each other: all pairs ({@link io.hyperverbs.lab.dsm.apps.bodies.NbodyApplication}), and by a
 * tree of cells ({@link io.hyperverbs.lab.dsm.apps.bodies.BarnesApplication}). One thread for each node.
 */
@NullMarked
package io.hyperverbs.lab.dsm.apps.bodies;

import org.jspecify.annotations.NullMarked;
