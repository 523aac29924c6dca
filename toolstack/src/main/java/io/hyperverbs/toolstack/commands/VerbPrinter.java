package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.trace.TraceSummary;
import io.hyperverbs.launcher.trace.TracedVerb;
import io.hyperverbs.launcher.trace.VerbLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shows the verbs of a domain's log, or only adds them up. Lines that are none of a driver's are marked with a question
 * mark. One thread.
 */
final class VerbPrinter implements VerbLines.Sink {
    /**
     * What is shown.
     *
     * @param verbs names of those that count; none for all
     * @param count end after so many
     * @param linesToo whether lines are shown
     */
    record Choice(List<String> verbs, long count, boolean linesToo) {}

    private final String domain;
    private final Choice choice;
    private final Format format;
    private final OutputStream out;
    private final TraceSummary summary = new TraceSummary();
    private long left;
    private long notUnderstood;

    /**
     * @param format TABLE for lines as the driver writes them, with the domain's name; JSONL for objects
     * @param out not closed here
     */
    VerbPrinter(String domain, Choice choice, Format format, OutputStream out) {
        this.domain = domain;
        this.choice = choice;
        this.format = format;
        this.out = out;
        this.left = choice.count();
    }

    @Override
    public void line(byte[] line) throws IOException {
        if (isDone()) {
            return;
        }
        String text = new String(line, StandardCharsets.UTF_8);
        Optional<TracedVerb> verb = TracedVerb.parse(text);
        if (verb.isPresent()) {
            verb(verb.get(), line);
            return;
        }
        long dropped = TracedVerb.dropped(text);
        if (dropped > 0) {
            summary.addDropped(dropped);
        } else {
            summary.addNotUnderstood();
            notUnderstood++;
        }
        if (choice.linesToo()) {
            other(line, text, dropped);
        }
    }

    private void verb(TracedVerb verb, byte[] line) throws IOException {
        if (!choice.verbs().isEmpty() && !choice.verbs().contains(verb.verb())) {
            return;
        }
        summary.add(verb);
        if (choice.linesToo()) {
            if (format == Format.JSONL) {
                write(object(verb));
            } else {
                write(line, verb.time().length(), " " + domain);
            }
        }
        left--;
    }

    private void other(byte[] line, String text, long dropped) throws IOException {
        if (format == Format.JSONL) {
            ObjectNode object = start();
            write(dropped > 0 ? object.put("dropped", dropped) : object.put("not_understood", text));
        } else {
            write(line, 0, dropped > 0 ? "" : "? " + domain + ": ");
        }
    }

    private ObjectNode start() {
        return Json.object().put("schema", "hv.trace/1").put("domain", domain);
    }

    private ObjectNode object(TracedVerb verb) {
        ObjectNode object = Json.object().put("schema", "hv.trace/1").put("time", verb.time());
        object.put("domain", domain);
        object.put("thread", verb.thread().isEmpty() ? null : verb.thread());
        return object.put("verb", verb.verb())
                .put("arguments", verb.arguments())
                .put("result", verb.result())
                .put("micros", verb.micros())
                .put("way", verb.way().word());
    }

    private void write(ObjectNode object) throws IOException {
        write((Json.line(object) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** The line with something put into it: every byte that the guest wrote stays as it is. */
    private void write(byte[] line, int at, String put) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(line, 0, at);
        whole.writeBytes(put.getBytes(StandardCharsets.UTF_8));
        whole.write(line, at, line.length - at);
        whole.write('\n');
        write(whole.toByteArray());
    }

    /** Who follows sees each line when it comes. */
    private void write(byte[] line) throws IOException {
        out.write(line);
        out.flush();
    }

    /** Whether as many verbs were seen as are wanted. */
    boolean isDone() {
        return left <= 0;
    }

    /** Lines that no driver writes. */
    long notUnderstood() {
        return notUnderstood;
    }

    TraceSummary summary() {
        return summary;
    }
}
