/** What a run may choose: how messages are handled, and how data goes. */
@NullMarked
package io.hyperverbs.upper.dsm.options;

import org.jspecify.annotations.NullMarked;
