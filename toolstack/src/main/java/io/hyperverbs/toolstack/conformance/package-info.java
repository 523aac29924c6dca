/**
 * The verbs contract as named cases that run inside a domain, on any data path, with identical
 * verdicts. {@link io.hyperverbs.toolstack.conformance.ConformanceProgram} runs them, {@link
 * io.hyperverbs.toolstack.conformance.Conformance} knows them all. Everything here and below is a
 * guest program: it uses {@code verbs-api} and the JDK alone.
 */
@NullMarked
package io.hyperverbs.toolstack.conformance;

import org.jspecify.annotations.NullMarked;
