/**
 * The data path of domains that do not bypass the backend: entries of posts are copied into rings
 * that the backend owns, completions are read there and sent back. {@link
 * io.hyperverbs.backend.forwarded.ForwardedContext} has a pump thread while a stream is open; posts
 * come on the channel's thread. Rings are shared with the HCA alone.
 */
@NullMarked
package io.hyperverbs.backend.forwarded;

import org.jspecify.annotations.NullMarked;
