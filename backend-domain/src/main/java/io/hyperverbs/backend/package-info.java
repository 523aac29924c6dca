/** The backend driver, in the domain that owns the adapter. */
package io.hyperverbs.backend;
