/**
 * The public API, in the words of InfiniBand verbs: a {@link io.hyperverbs.verbs.Device} is opened as a {@link
 * io.hyperverbs.verbs.Context}, which makes PDs, completion queues and queue pairs; work is posted to queue pairs and polled
 * from completion queues.
 */
package io.hyperverbs.verbs;
