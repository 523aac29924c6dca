/** All conformance cases by name, and the program that runs them in a guest. */
@NullMarked
package io.hyperverbs.lab.conformance.catalogue;

import org.jspecify.annotations.NullMarked;
