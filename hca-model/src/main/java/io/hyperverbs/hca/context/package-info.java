/**
 * The engine's side of the HCA's context memory (bytes: {@code hca.layout}). Engine thread only.
 */
@NullMarked
package io.hyperverbs.hca.context;

import org.jspecify.annotations.NullMarked;
