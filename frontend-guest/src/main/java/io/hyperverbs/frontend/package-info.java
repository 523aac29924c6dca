/**
 * The frontend driver. {@link io.hyperverbs.frontend.DriverDomain} is a domain with its driver;
 * {@link io.hyperverbs.frontend.GuestMain} the main class of a guest process.
 */
@NullMarked
package io.hyperverbs.frontend;

import org.jspecify.annotations.NullMarked;
