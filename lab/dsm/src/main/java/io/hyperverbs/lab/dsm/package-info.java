/**
 * The program that runs applications of a distributed shared memory on the nodes of a job ({@link
 * io.hyperverbs.lab.dsm.DsmProgram}). One thread for each node.
 */
@NullMarked
package io.hyperverbs.lab.dsm;

import org.jspecify.annotations.NullMarked;
