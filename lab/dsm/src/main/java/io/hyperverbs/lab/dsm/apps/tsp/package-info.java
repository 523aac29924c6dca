/**
 * The travelling salesman by branch and bound over a shared queue ({@link
 * io.hyperverbs.lab.dsm.apps.tsp.TspApplication}), and by dynamic programming to know the answer. One thread for each
 * node.
 */
@NullMarked
package io.hyperverbs.lab.dsm.apps.tsp;

import org.jspecify.annotations.NullMarked;
