/**
 * The two paths of the driver. {@link io.hyperverbs.frontend.path.PrivilegedVerbs} is the control path: it turns replies
 * into values and refusals into exceptions, and writes both to the verb log. How posts and polls reach the HCA: {@link io.hyperverbs.frontend.path.BypassPath} through mapped
 * memory (Liu 2006 §4.3), {@link io.hyperverbs.frontend.path.ForwardedPath} over a {@link
 * io.hyperverbs.frontend.path.ForwardedChannel} to the backend. Posters and queues use {@link
 * io.hyperverbs.frontend.path.QpPort} and {@link io.hyperverbs.frontend.path.CompletionPort}
 * alone, with the same rings and layouts either way. Bypass shares rings, UAR and status page with
 * the HCA; forwarded rings are private memory. Ports run on the threads that post and poll.
 */
@NullMarked
package io.hyperverbs.frontend.path;

import org.jspecify.annotations.NullMarked;
