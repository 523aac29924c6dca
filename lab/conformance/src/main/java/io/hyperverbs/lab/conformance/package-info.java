/**
 * The verbs contract as named cases that run inside a domain, on any data path, with identical
 * verdicts. {@link io.hyperverbs.lab.conformance.catalogue.ConformanceProgram} runs them, {@link
 * io.hyperverbs.lab.conformance.catalogue.Conformance} knows them all. Everything here and below is a
 * guest program: it uses {@code verbs-api} and the JDK alone.
 */
@NullMarked
package io.hyperverbs.lab.conformance;

import org.jspecify.annotations.NullMarked;
