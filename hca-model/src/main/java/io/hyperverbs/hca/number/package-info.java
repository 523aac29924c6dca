/**
 * Numbers: random ones that cannot be guessed from each other, and the table from number to index.
 * Engine thread only.
 */
@NullMarked
package io.hyperverbs.hca.number;

import org.jspecify.annotations.NullMarked;
