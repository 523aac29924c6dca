/**
 * What is written about a benchmark: the table and the object on standard output, and the files of
 * a report folder. One thread.
 */
@NullMarked
package io.hyperverbs.lab.run.report;

import org.jspecify.annotations.NullMarked;
