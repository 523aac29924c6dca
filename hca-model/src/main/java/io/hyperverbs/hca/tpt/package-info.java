/**
 * Translation and protection: {@link io.hyperverbs.hca.tpt.Tpt} finds a region by key inside a PD,
 * {@link io.hyperverbs.hca.tpt.RangeCheck} is the only range check, {@link
 * io.hyperverbs.hca.tpt.Region} translates to machine addresses. Engine thread only; no access
 * decision allocates or throws.
 */
@NullMarked
package io.hyperverbs.hca.tpt;

import org.jspecify.annotations.NullMarked;
