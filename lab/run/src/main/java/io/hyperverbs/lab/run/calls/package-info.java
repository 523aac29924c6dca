/**
 * Measures what domains call for beside floors: rounds of sequences at several sites, in turn ({@link
 * io.hyperverbs.lab.run.calls.CallRun}), and figures and tables of them ({@link io.hyperverbs.lab.run.calls.CallResult}).
 * One thread.
 */
@NullMarked
package io.hyperverbs.lab.run.calls;

import org.jspecify.annotations.NullMarked;
