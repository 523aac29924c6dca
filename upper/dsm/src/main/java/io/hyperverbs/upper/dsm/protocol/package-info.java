/** Who may read and write which minipage: the rules of the nodes, without any network (Liss 2003 §4). */
@NullMarked
package io.hyperverbs.upper.dsm.protocol;

import org.jspecify.annotations.NullMarked;
