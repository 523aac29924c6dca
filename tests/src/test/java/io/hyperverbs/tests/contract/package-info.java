/**
 * The verbs contract: {@link io.hyperverbs.tests.contract.InProcessContractTest} has a test for each case,
 * {@link io.hyperverbs.tests.contract.ContractTest} for cases on each data path in real domains. The cases
 * are {@code io.hyperverbs.lab.conformance}'s; nothing is judged here.
 */
@NullMarked
package io.hyperverbs.tests.contract;

import org.jspecify.annotations.NullMarked;
