/** All attacks by name, and the program that runs them in a guest. */
@NullMarked
package io.hyperverbs.lab.attacks.catalogue;

import org.jspecify.annotations.NullMarked;
