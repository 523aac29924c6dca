/**
 * {@code hv bench lat} and {@code bw}: which of perftest's options mean something ({@link
 * io.hyperverbs.lab.run.perf.PerfRules}), what is measured ({@link io.hyperverbs.lab.run.perf.PerfPlan}), the rounds in a
 * machine ({@link io.hyperverbs.lab.run.perf.PerfRun}), and perftest's rows. One thread.
 */
@NullMarked
package io.hyperverbs.lab.run.perf;

import org.jspecify.annotations.NullMarked;
