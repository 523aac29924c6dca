/** One node at work: its memory, its protocol, and the handler of messages. */
@NullMarked
package io.hyperverbs.upper.dsm.node;

import org.jspecify.annotations.NullMarked;
