/** Connects the programs of a job, each to all others, and notices who is gone. */
@NullMarked
package io.hyperverbs.upper.job.link;

import org.jspecify.annotations.NullMarked;
