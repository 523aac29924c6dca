/**
 * Data as text: tables, lists of keys and values, and JSON, in the formats of {@code --format}. Nothing is printed here.
 * Instances are for one thread.
 */
@NullMarked
package io.hyperverbs.launcher.output;

import org.jspecify.annotations.NullMarked;
