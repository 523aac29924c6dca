package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.vmm.domain.DomainState;
import java.time.Duration;
import java.util.Locale;

/** States and times as {@code xl list} shows them. */
final class StateWords {
    private StateWords() {}

    /** xl's letters: running, blocked, paused, shut down, crashed, dying. */
    static Table.Shown state(DomainState state) {
        String letters = switch (state) {
            case STARTING -> "------";
            case RUNNING -> "r-----";
            case SHUT_DOWN -> "---s--";
            case CRASHED -> "----c-";
            case DYING -> "-----d";
        };
        return new Table.Shown(letters, state.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** How long a domain is up, such as {@code 2h05m}; in JSON milliseconds. */
    static Table.Shown up(long startedEpochMillis, long nowEpochMillis) {
        Duration up = Duration.ofMillis(Math.max(0, nowEpochMillis - startedEpochMillis));
        String text = up.toHours() > 0
                ? String.format(Locale.ROOT, "%dh%02dm", up.toHours(), up.toMinutesPart())
                : up.toMinutes() > 0
                        ? String.format(Locale.ROOT, "%dm%02ds", up.toMinutes(), up.toSecondsPart())
                        : up.toSeconds() + "s";
        return new Table.Shown(text, up.toMillis());
    }
}
