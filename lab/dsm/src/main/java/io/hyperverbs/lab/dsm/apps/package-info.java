/**
 * Applications of a distributed shared memory: what each is asked for and what it returns ({@link
 * io.hyperverbs.lab.dsm.apps.DsmApplication}), and those on matrices and keys. All are those of Liss 2003 §5.2,
 * written from the published descriptions of the SPLASH-2 and TreadMarks suites. One thread for each node.
 */
@NullMarked
package io.hyperverbs.lab.dsm.apps;

import org.jspecify.annotations.NullMarked;
