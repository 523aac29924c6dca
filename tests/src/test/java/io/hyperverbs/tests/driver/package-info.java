/** The guest's driver on a machine in this process: what it does with refusals, and what no program sees. */
package io.hyperverbs.tests.driver;
