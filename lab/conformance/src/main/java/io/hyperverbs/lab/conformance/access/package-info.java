/**
 * What rights let through, by the specification: the cases, the model of the walk, and the HCA's own exhaustive
 * test ask it. It uses the JDK and the words of {@code verbs-api} alone.
 */
@NullMarked
package io.hyperverbs.lab.conformance.access;

import org.jspecify.annotations.NullMarked;
