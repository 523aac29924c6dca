/** What faults, locks and checks of the shared memory cost. */
@NullMarked
package io.hyperverbs.lab.dsm.perf;

import org.jspecify.annotations.NullMarked;
