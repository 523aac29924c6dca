/**
 * Soaking: victims at a share of their peak, a fault every few seconds, and what the trusted
 * processes hold compared before and after. {@link io.hyperverbs.lab.run.soak.SoakRun} is
 * the course of it, {@link io.hyperverbs.lab.run.soak.Ground} what it is made on.
 */
@NullMarked
package io.hyperverbs.lab.run.soak;

import org.jspecify.annotations.NullMarked;
