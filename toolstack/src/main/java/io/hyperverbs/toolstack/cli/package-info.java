/**
 * What all commands share: where input comes from and output goes ({@link
 * io.hyperverbs.toolstack.cli.CommandContext}), global options, and what of it is a terminal. One
 * thread.
 */
@NullMarked
package io.hyperverbs.toolstack.cli;

import org.jspecify.annotations.NullMarked;
