/** The judge: starts victims and attackers, and looks from outside whether all is well. */
@NullMarked
package io.hyperverbs.lab.run.isolate;

import org.jspecify.annotations.NullMarked;
