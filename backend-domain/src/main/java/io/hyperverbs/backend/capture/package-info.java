/**
 * Captures for the operator: what passes the HCA and its driver, written to the VMM's rings while there is one. {@link
 * io.hyperverbs.backend.capture.Captures} begins and ends them; packets come on the engine's thread, verbs on those of
 * the domains.
 */
@NullMarked
package io.hyperverbs.backend.capture;

import org.jspecify.annotations.NullMarked;
