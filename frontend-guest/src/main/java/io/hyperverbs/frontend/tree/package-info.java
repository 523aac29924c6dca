/**
 * The tree of verbs objects: {@link io.hyperverbs.frontend.tree.VerbsNode} knows who depends on it
 * and refuses to close before them, {@link io.hyperverbs.frontend.tree.Rollback} takes a half-made
 * object back. Any thread.
 */
@NullMarked
package io.hyperverbs.frontend.tree;

import org.jspecify.annotations.NullMarked;
