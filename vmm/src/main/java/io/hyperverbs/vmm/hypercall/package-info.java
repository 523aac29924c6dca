/**
 * Calls from a domain to the VMM over its hypercall socket. {@link
 * io.hyperverbs.vmm.hypercall.Hypercalls} is what every domain may ask, {@link
 * io.hyperverbs.vmm.hypercall.BackendHypercalls} what the backend domain may ask besides.
 */
@NullMarked
package io.hyperverbs.vmm.hypercall;

import org.jspecify.annotations.NullMarked;
