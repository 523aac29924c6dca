/** State tables of domains. */
@NullMarked
package io.hyperverbs.vmm.domain;

import org.jspecify.annotations.NullMarked;
