/** Random programs of a few loads and stores, whose outcomes must be sequentially consistent. */
@NullMarked
package io.hyperverbs.lab.dsm.litmus;

import org.jspecify.annotations.NullMarked;
