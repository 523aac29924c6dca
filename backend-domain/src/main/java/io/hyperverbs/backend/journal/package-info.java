/**
 * The record of privileged verbs: intent and commit of each that was accepted, as request and reply messages, samples
 * of those that were refused. {@link io.hyperverbs.backend.journal.Journal} is the one writer, {@link
 * io.hyperverbs.backend.journal.JournalReader} reads in any process meanwhile. What was
 * acknowledged survives the death of the backend, not a loss of power.
 */
@NullMarked
package io.hyperverbs.backend.journal;

import org.jspecify.annotations.NullMarked;
