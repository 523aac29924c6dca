/**
 * Domains and their life: {@link io.hyperverbs.vmm.domain.Machine} starts, stops and reaps them,
 * {@link io.hyperverbs.vmm.domain.DomainTable} holds their states, {@link
 * io.hyperverbs.vmm.domain.DomainCalls} answers their hypercalls. A start runs on the thread that
 * asked for it, an end on a thread of its own.
 */
@NullMarked
package io.hyperverbs.vmm.domain;

import org.jspecify.annotations.NullMarked;
