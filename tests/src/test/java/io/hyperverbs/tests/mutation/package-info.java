/** PIT on what judges guests: each small change of the code must fail a test. */
package io.hyperverbs.tests.mutation;
