/** Verbs programs that the process tests run inside domains; they use the verbs API alone. */
package io.hyperverbs.tests.programs;
