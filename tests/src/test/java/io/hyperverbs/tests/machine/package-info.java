/** A machine of real processes for tests. */
package io.hyperverbs.tests.machine;
