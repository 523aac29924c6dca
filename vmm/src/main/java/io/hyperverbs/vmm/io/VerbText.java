package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * Requests and replies in the words of the C verbs, as the verb log of a domain and {@code hv journal} print them, by the
 * rows of {@link PrivilegedVerb}. Stateless; any thread.
 */
public final class VerbText {
    private VerbText() {}

    /** The verb's name. */
    public static String name(ControlRequest request) {
        return switch (PrivilegedVerb.content(request)) {
            case ControlRequest.Destroy r -> r.kind().destroyVerb();
            case ManagementRequest.Answer r -> r.kind().verb();
            default -> PrivilegedVerb.of(request).verb();
        };
    }

    /** All names that a line of a domain's verb log may begin with, in order of the alphabet. */
    public static List<String> names() {
        SortedSet<String> names = new TreeSet<>();
        for (PrivilegedVerb verb : PrivilegedVerb.values()) {
            switch (verb) {
                case DESTROY -> List.of(ObjectKind.values()).forEach(kind -> names.add(kind.destroyVerb()));
                case ANSWER -> List.of(ManagementRequest.Answer.Kind.values()).forEach(kind -> names.add(kind.verb()));
                default -> names.add(verb.verb());
            }
        }
        List.of(DataVerb.values()).forEach(verb -> names.add(verb.verb()));
        return List.copyOf(names);
    }

    /** All arguments, {@code pd=12 addr=0x10 len=4096}. */
    public static String arguments(ControlRequest request, ObjectNames names) {
        return arguments(request, names, " ", true);
    }

    /** A call in the verb log, {@code reg_mr(addr=0x10, len=4096)}: what a program gave. */
    public static String call(ControlRequest request, ObjectNames names) {
        return name(request) + "(" + arguments(request, names, ", ", false) + ")";
    }

    private static String arguments(ControlRequest request, ObjectNames names, String between, boolean all) {
        if (request instanceof ControlRequest.Destroy r) {
            return r.kind().word() + "=" + names.of(r.handle());
        }
        StringJoiner words = new StringJoiner(between);
        fields(words, PrivilegedVerb.of(request).shape(), PrivilegedVerb.content(request), names, all);
        return words.toString();
    }

    /** All that a reply tells, {@code qp=0x001149 slot=3}; nothing if it tells nothing. */
    public static String answer(ControlReply reply, ObjectNames names) {
        return answer(reply, names, " ", true);
    }

    /** A reply in the verb log, {@code qp 0x001149}, or 0 as C has it. */
    public static String result(ControlReply reply, ObjectNames names) {
        if (reply instanceof ControlReply.Refused r) {
            return result(r.status()) + " (" + r.message() + ")";
        }
        String words = answer(reply, names, ", ", false);
        return words.isEmpty() ? "0" : words;
    }

    private static String answer(ControlReply reply, ObjectNames names, String between, boolean all) {
        Object content = switch (reply) {
            case ControlReply.Done _ -> "";
            case ControlReply.Refused r -> r.message();
            case ControlReply.Management r -> r.reply();
            default -> reply;
        };
        if (content instanceof String words) {
            return words;
        }
        Shape<?> shape = ReplyShapes.of(content);
        Field first = shape.fields().getFirst();
        if (!all && first.isHandle()) {
            return first.name() + " " + first.words(shape.component(content, 0), names);
        }
        StringJoiner words = new StringJoiner(between);
        fields(words, shape, content, names, all);
        return words.toString();
    }

    private static void fields(StringJoiner words, Shape<?> shape, Object record, ObjectNames names, boolean all) {
        List<Field> fields = shape.fields();
        for (int i = 0; i < fields.size(); i++) {
            Field field = fields.get(i);
            Object value = shape.component(record, i);
            boolean isSaid = field.isKnownBy() && names.areKnown();
            if ((!all && !field.isInTrace()) || field.isLeftOut(value) || isSaid) {
                continue;
            }
            Shape<?> parts = field.expanded();
            if (parts != null) {
                fields(words, parts, Objects.requireNonNull(value, "left out"), names, all);
            } else {
                String word = field.words(value, names);
                words.add(field.name().isEmpty() || (!all && field.isBare()) ? word : field.name() + "=" + word);
            }
        }
    }

    /** 0, or -1 and the name of the error. */
    public static String result(VerbsStatus status) {
        return status == VerbsStatus.SUCCESS ? "0" : "-1 " + status;
    }
}
