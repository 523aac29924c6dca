/**
 * The mistakes that other implementations have made, each with the tests that keep it out of this
 * one: {@link io.hyperverbs.tests.history.HistoricMistake}; and the list of threats.
 */
@NullMarked
package io.hyperverbs.tests.history;

import org.jspecify.annotations.NullMarked;
