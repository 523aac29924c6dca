/**
 * The verbs contract, held against every data path in real domains: {@link
 * io.hyperverbs.tests.contract.ContractTest} has a test for each case and path. The cases are
 * {@code io.hyperverbs.lab.conformance}'s; nothing is judged here.
 */
@NullMarked
package io.hyperverbs.tests.contract;

import org.jspecify.annotations.NullMarked;
