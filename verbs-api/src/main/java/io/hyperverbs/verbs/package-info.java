/** The public API, in the words of InfiniBand verbs. */
package io.hyperverbs.verbs;
