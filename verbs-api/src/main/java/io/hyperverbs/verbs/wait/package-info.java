/**
 * How a party that polls waits: spin a little, yield for a while, then sleep. Used by engine and
 * guests alike.
 */
@NullMarked
package io.hyperverbs.verbs.wait;

import org.jspecify.annotations.NullMarked;
