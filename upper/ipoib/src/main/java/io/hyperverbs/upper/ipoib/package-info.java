/** IP over InfiniBand (RFC 4391) as a program of a guest: {@link io.hyperverbs.upper.ipoib.Ipoib}. */
@NullMarked
package io.hyperverbs.upper.ipoib;

import org.jspecify.annotations.NullMarked;
