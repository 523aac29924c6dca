package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.trace.TraceSummary;
import io.hyperverbs.launcher.trace.TracedVerb;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.util.List;
import java.util.Locale;

/** What the commands that trace verbs have in common. */
final class VerbOptions {
    private VerbOptions() {}

    /**
     * Refuses names that no verb has.
     *
     * @param option the one that gave them
     */
    static void check(String option, List<String> verbs) throws HvException {
        for (String verb : verbs) {
            if (!TracedVerb.NAMES.contains(verb)) {
                throw new HvException(
                        ExitCode.USAGE,
                        option + " " + verb + ", no such verb",
                        Suggestion.hintOrAll(verb, TracedVerb.NAMES));
            }
        }
    }

    /** Refuses formats that single verbs do not come in. */
    static void checkFormat(CommandContext context, boolean summary) throws HvException {
        Format format = context.options().format();
        if (!summary && (format == Format.JSON || format == Format.CSV)) {
            throw new HvException(
                    ExitCode.USAGE,
                    "--format " + format.name().toLowerCase(Locale.ROOT) + " needs -c",
                    "jsonl has an object for each verb");
        }
    }

    /** Says how many lines are no driver's, unless a summary for people does. */
    static void noteNotUnderstood(CommandContext context, VerbPrinter printer, boolean summary) {
        long lines = printer.notUnderstood();
        if (lines > 0 && !(summary && context.options().format() == Format.TABLE)) {
            context.note(lines + (lines == 1 ? " line" : " lines") + " not understood");
        }
    }

    /** A summary in a format, with its last line ended: the table and its sentences, or what programs take. */
    static String text(CommandContext context, TraceSummary summary, Format format) {
        String table = context.rendered(summary.table(), format);
        return format == Format.TABLE ? table + "\n" + String.join("\n", summary.sentences()) + "\n" : table;
    }
}
