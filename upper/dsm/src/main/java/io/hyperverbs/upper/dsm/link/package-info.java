/** The network of nodes over verbs: an RC connection between every two, one completion queue (Liss 2003 §3). */
@NullMarked
package io.hyperverbs.upper.dsm.link;

import org.jspecify.annotations.NullMarked;
