/** The simulated machine: memory, grants, event channels and domain processes. */
package io.hyperverbs.vmm;
