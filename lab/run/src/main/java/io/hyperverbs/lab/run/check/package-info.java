/**
 * Holding the HCA to the verbs contract from outside: {@link
 * io.hyperverbs.lab.run.check.ConformanceRun} runs the conformance cases on each path in domains
 * of its own and collects {@link io.hyperverbs.lab.run.check.PathVerdicts}; {@link
 * io.hyperverbs.lab.run.check.ConformancePage} writes them as documentation. All on the thread of
 * the command.
 */
@NullMarked
package io.hyperverbs.lab.run.check;

import org.jspecify.annotations.NullMarked;
