/**
 * Shows how far a command has come, on standard error: a bar on a terminal, plain lines elsewhere,
 * nothing when quiet. One thread at a time.
 */
@NullMarked
package io.hyperverbs.launcher.progress;

import org.jspecify.annotations.NullMarked;
