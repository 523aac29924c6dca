/**
 * The cases, one class per subject; several classes may share a group. Rules cite the man pages of
 * rdma-core, InfiniBand Architecture volume 1 (IBA), or Liu 2006; "choice" marks an answer that
 * these leave open and this project settles.
 */
@NullMarked
package io.hyperverbs.lab.conformance.cases;

import org.jspecify.annotations.NullMarked;
