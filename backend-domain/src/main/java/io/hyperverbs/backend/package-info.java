/**
 * The backend driver, in the domain that owns the HCA: {@link io.hyperverbs.backend.BackendDomain} puts it together,
 * {@link io.hyperverbs.backend.NoticeLoop} hears from the VMM which domains come and go.
 */
package io.hyperverbs.backend;
