package io.hyperverbs.toolstack.commands;

import io.hyperverbs.backend.journal.JournalRecord;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectNames;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.io.VerbText;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Journal records in words, with the numbers by which people know objects, as the verb log and {@code hv inspect} have
 * them, in place of handles. The numbers are those that commits recorded, so records are to be given in their order, also
 * those that are not shown. One thread.
 */
final class JournalWords {
    /** Request ids mean something only in the session that gave them. */
    private record Asked(int domain, long requestId) {}

    private final boolean raw;
    private final Map<Integer, ObjectNames> names = new HashMap<>();
    private final Map<Asked, ControlRequest> intents = new HashMap<>();

    /** {@code raw}: with handles as they are. */
    JournalWords(boolean raw) {
        this.raw = raw;
    }

    /** What the record says: a request's arguments, what a reply tells, or why it was refused. */
    String of(JournalRecord record) {
        try {
            return words(record);
        } catch (ProtocolViolation e) {
            return "no message of this format: " + e.getMessage();
        }
    }

    private String words(JournalRecord record) {
        Asked asked = new Asked(record.domain(), record.requestId());
        ObjectNames known = raw ? ObjectNames.RAW : names.computeIfAbsent(record.domain(), _ -> new ObjectNames());
        ControlReply reply = record.reply();
        ControlRequest request = record.request();
        switch (record.phase()) {
            case COMMIT -> learn(known, intents.remove(asked), reply);
            case INTENT -> intents.put(asked, Objects.requireNonNull(request));
            case UNDONE -> intents.remove(asked);
            case ENDED -> names.remove(record.domain());
            case DENIED, VIOLATION, BEGUN -> {}
        }
        String said = reply != null
                ? VerbText.answer(reply, known)
                : request != null ? VerbText.arguments(request, known) : "";
        return said.isEmpty() || record.words().isEmpty() ? said + record.words() : said + ": " + record.words();
    }

    /** Of a request whose intent went with the oldest segments nothing is learned. */
    private void learn(ObjectNames known, @Nullable ControlRequest request, @Nullable ControlReply reply) {
        if (request != null && reply != null && !raw) {
            known.learn(request, reply);
        }
    }
}
