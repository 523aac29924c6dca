/** What numbers of one guest say about those of others: nothing that statistics can see. */
package io.hyperverbs.tests.randomness;
