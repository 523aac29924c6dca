/**
 * Registrations that stay while nobody uses them. {@link io.hyperverbs.frontend.cache.CachedRegions}
 * has those of the whole domain, which has one quota; {@link
 * io.hyperverbs.frontend.cache.DriverRegistrationCache} is what a program sees, for one PD.
 */
@NullMarked
package io.hyperverbs.frontend.cache;

import org.jspecify.annotations.NullMarked;
