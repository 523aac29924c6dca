/**
 * Verbs programs that the process tests run inside domains. They use the verbs API alone, but
 * {@link io.hyperverbs.tests.programs.ManagementProbe}, which goes around its driver.
 */
package io.hyperverbs.tests.programs;
