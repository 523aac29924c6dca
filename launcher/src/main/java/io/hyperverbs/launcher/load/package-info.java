/**
 * How busy domains are: counters of the HCA, of the device domain and of the kernel, read twice and compared ({@link
 * io.hyperverbs.launcher.load.LoadMeter}). Instances are for one thread.
 */
@NullMarked
package io.hyperverbs.launcher.load;

import org.jspecify.annotations.NullMarked;
