/**
 * Carries out privileged verbs: {@link io.hyperverbs.backend.verbs.RequestExecutor} runs each as
 * check, journal, apply, reply. One small class per family of verbs.
 * Native domains call it by {@link io.hyperverbs.backend.verbs.DirectControlPath}. All of it runs under the lock
 * of the session that asked, on the thread that asked.
 */
@NullMarked
package io.hyperverbs.backend.verbs;

import org.jspecify.annotations.NullMarked;
