/**
 * Tests over real processes: each starts `hv` as a user does, in a state folder of its own, and
 * proves at the end that nothing is left.
 */
package io.hyperverbs.tests.process;
