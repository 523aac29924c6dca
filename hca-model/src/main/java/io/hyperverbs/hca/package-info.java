/** The host channel adapter: shared layouts, protection table and queue pair engine. */
package io.hyperverbs.hca;
