/**
 * Events on their way to the program (Liu 2006 §4.2). {@link
 * io.hyperverbs.frontend.event.EventDispatcher} runs on the event channel's thread and finds the
 * object of a handle; {@link io.hyperverbs.frontend.event.DriverChannel} keeps completion events
 * until the program waits for them, {@link io.hyperverbs.frontend.event.AsyncEvents} those of a
 * context. Events that the HCA posts into the context's page ({@link
 * io.hyperverbs.frontend.event.PostedEvents}) are taken by the thread that waits for them, which sleeps
 * on the page; for all others waiting sleeps on a condition.
 */
@NullMarked
package io.hyperverbs.frontend.event;

import org.jspecify.annotations.NullMarked;
