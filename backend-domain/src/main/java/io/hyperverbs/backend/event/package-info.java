/**
 * Events on their way from the HCA to domains (Liu 2006 §4.2): {@link
 * io.hyperverbs.backend.event.EventRelay} takes them from the HCA on a thread of its own and puts
 * each into the {@link io.hyperverbs.backend.event.SessionEvents} of the session it belongs to, which
 * is bounded, so that a domain that does not read costs nobody else anything.
 */
@NullMarked
package io.hyperverbs.backend.event;

import org.jspecify.annotations.NullMarked;
