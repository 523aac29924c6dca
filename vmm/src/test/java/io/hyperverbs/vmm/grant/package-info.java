/** Grants. */
@NullMarked
package io.hyperverbs.vmm.grant;

import org.jspecify.annotations.NullMarked;
