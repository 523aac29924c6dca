/**
 * Grants: an owner of frames lets another domain map them. The table is the VMM's; a reference
 * means something only to the domain that it was made for.
 */
@NullMarked
package io.hyperverbs.vmm.grant;

import org.jspecify.annotations.NullMarked;
