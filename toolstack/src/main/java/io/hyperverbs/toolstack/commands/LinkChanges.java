package io.hyperverbs.toolstack.commands;

import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What words of the command line make of a link's settings: {@code down} and {@code up} switch it and keep the rest;
 * {@code KEY=VALUE} words, or {@code none}, replace all.
 */
final class LinkChanges {
    private LinkChanges() {}

    /**
     * From what is set to what is to be.
     *
     * @param words at least one
     * @throws HvException USAGE: words that are none of these, or settings that are none
     */
    static UnaryOperator<LinkSettings> of(List<String> words) throws HvException {
        String all = String.join(" ", words);
        try {
            LinkSettings _ = LinkSettings.none().changed(all);
            return before -> before.changed(all);
        } catch (IllegalArgumentException e) {
            throw new HvException(
                    ExitCode.USAGE,
                    String.valueOf(e.getMessage()),
                    "down, up, none, or settings such as delay=10us loss=1%");
        }
    }
}
