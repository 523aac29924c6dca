package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.posix.InputPipe;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a process that the VMM starts has as standard input, output and error.
 *
 * @param log of what it prints, written by a {@link Console}
 * @param pace of that: guests can make the device domain print, too
 * @param apart whether the log says what was standard error
 * @param input where its standard input goes on after the token; null: it ends there
 */
record ProcessStreams(
        Path log, LogPace pace, boolean apart, @Nullable InputPipe input) {}
