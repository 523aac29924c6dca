/**
 * What all commands share: where input comes from and output goes ({@link
 * io.hyperverbs.toolstack.cli.CommandContext}), errors with their exit codes, tables in four formats. One
 * thread.
 */
@NullMarked
package io.hyperverbs.toolstack.cli;

import org.jspecify.annotations.NullMarked;
