/**
 * What the backend keeps per domain: a {@link io.hyperverbs.backend.session.Session} with its
 * handle tables, quota, object tree and remembered replies. A session changes under its own lock
 * alone; lookups by handle need no lock.
 */
@NullMarked
package io.hyperverbs.backend.session;

import org.jspecify.annotations.NullMarked;
