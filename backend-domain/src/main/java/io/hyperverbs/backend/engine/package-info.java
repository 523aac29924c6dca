/** Where the HCA's engine thread sleeps: {@link io.hyperverbs.backend.engine.DoorbellEpoll}. */
@NullMarked
package io.hyperverbs.backend.engine;

import org.jspecify.annotations.NullMarked;
