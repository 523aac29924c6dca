package io.hyperverbs.toolstack.commands;

import io.hyperverbs.backend.journal.JournalRecord;
import io.hyperverbs.backend.journal.JournalRecord.Phase;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Arguments of journal records with the numbers by which people know objects, as the verb log and
 * {@code hv inspect} have them, in place of handles. The numbers are those that commits recorded,
 * so records are to be given in their order, also those that are not shown. One thread.
 */
final class JournalWords {
    private static final Pattern HANDLE =
            Pattern.compile("\\b(context|pd|cq|send_cq|recv_cq|qp|srq|ring|mr|mw|ah|xrcd|handle)=(\\d+)");

    /** How an answer names what it made: its handle, then the number that it is known by. */
    private static final Pattern MADE =
            Pattern.compile("^(pd|cq|qp|srq|ah)=(\\d+) (?:number|qpn|srqn)=(0x[0-9a-f]+|\\d+)\\b");

    /** The slot; the rest of a handle only makes it unique. */
    private static final long SLOT = 0xffff;

    /** Handles mean something only in the session that got them. */
    private record Owned(int domain, long handle) {}

    private final Map<Owned, String> names = new HashMap<>();

    /** The record's arguments for people. */
    String of(JournalRecord record) {
        String arguments = record.arguments();
        if (record.phase() == Phase.COMMIT) {
            Matcher made = MADE.matcher(arguments);
            if (made.find()) {
                String number = number(made.group(3));
                names.put(owned(record, made.group(2)), number);
                arguments = made.group(1) + "=" + number + arguments.substring(made.end());
                return named(record, arguments, made.group(1).length() + 1 + number.length());
            }
        }
        return named(record, arguments, 0);
    }

    private String named(JournalRecord record, String arguments, int from) {
        StringBuilder text = new StringBuilder(arguments.substring(0, from));
        Matcher handle = HANDLE.matcher(arguments);
        int at = from;
        while (handle.find(at)) {
            text.append(arguments, at, handle.start(2)).append(name(record, handle.group(2)));
            at = handle.end();
        }
        return text.append(arguments.substring(at)).toString();
    }

    private String name(JournalRecord record, String handle) {
        if (handle.length() > 18) {
            return handle;
        }
        String name = names.get(owned(record, handle));
        return name == null ? Long.toString(Long.parseLong(handle) & SLOT) : name;
    }

    private static Owned owned(JournalRecord record, String handle) {
        return new Owned(record.domain(), Long.parseLong(handle));
    }

    /** Numbers on the wire have 24 bits and are written with all their digits. */
    private static String number(String recorded) {
        return recorded.startsWith("0x")
                ? String.format("0x%6s", recorded.substring(2)).replace(' ', '0')
                : recorded;
    }
}
