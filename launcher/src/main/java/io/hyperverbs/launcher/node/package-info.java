/**
 * A host's part of a topology: the process that starts it ({@link io.hyperverbs.launcher.node.NodeAgent}), what it is
 * told and how it answers the operator ({@link io.hyperverbs.launcher.node.NodeTls}). The operator's side is {@code
 * launcher.hosts}.
 */
@NullMarked
package io.hyperverbs.launcher.node;

import org.jspecify.annotations.NullMarked;
