/** Native calls against the running kernel. */
@NullMarked
package io.hyperverbs.vmm.posix;

import org.jspecify.annotations.NullMarked;
