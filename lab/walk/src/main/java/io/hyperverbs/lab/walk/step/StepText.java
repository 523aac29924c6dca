package io.hyperverbs.lab.walk.step;

import io.hyperverbs.lab.walk.step.Step.ArmLimit;
import io.hyperverbs.lab.walk.step.Step.Bind;
import io.hyperverbs.lab.walk.step.Step.Close;
import io.hyperverbs.lab.walk.step.Step.Fill;
import io.hyperverbs.lab.walk.step.Step.Modify;
import io.hyperverbs.lab.walk.step.Step.OpenAh;
import io.hyperverbs.lab.walk.step.Step.OpenCq;
import io.hyperverbs.lab.walk.step.Step.OpenPd;
import io.hyperverbs.lab.walk.step.Step.OpenQp;
import io.hyperverbs.lab.walk.step.Step.OpenRegion;
import io.hyperverbs.lab.walk.step.Step.OpenSrq;
import io.hyperverbs.lab.walk.step.Step.OpenWindow;
import io.hyperverbs.lab.walk.step.Step.PostReceive;
import io.hyperverbs.lab.walk.step.Step.PostSend;
import io.hyperverbs.lab.walk.step.Step.PostShared;
import io.hyperverbs.lab.walk.step.Step.Query;
import io.hyperverbs.lab.walk.step.Step.QuerySrq;
import io.hyperverbs.lab.walk.step.Step.Resize;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Steps as lines, and back: {@code verb slot=... key=...}. Requests of a batch stand behind {@code
 * |}. Lines that begin with {@code #} and empty ones are no steps.
 */
public final class StepText {
    private StepText() {}

    public static String format(Step step) {
        return switch (step) {
            case OpenPd s -> "pd slot=" + s.pd() + " context=" + s.context();
            case OpenCq s -> "cq slot=" + s.cq() + " context=" + s.context() + " entries=" + s.entries();
            case OpenRegion s ->
                String.format(
                        "mr slot=%d pd=%d offset=%d length=%d access=%d",
                        s.region(), s.pd(), s.offset(), s.length(), s.access());
            case OpenQp s ->
                String.format(
                        "qp slot=%d type=%s pd=%d srq=%d send-cq=%d receive-cq=%d sends=%d"
                                + " receives=%d pieces=%d inline=%d all-signalled=%b",
                        s.qp(),
                        s.type(),
                        s.pd(),
                        s.srq(),
                        s.sendCq(),
                        s.receiveCq(),
                        s.sends(),
                        s.receives(),
                        s.pieces(),
                        s.inlineBytes(),
                        s.allSignalled());
            case Close s -> "close slot=" + s.slot() + " kind=" + s.kind();
            case OpenAh s -> String.format("ah slot=%d pd=%d lid=%d sl=%d", s.ah(), s.pd(), s.lid(), s.serviceLevel());
            case OpenWindow s -> "mw slot=" + s.window() + " pd=" + s.pd() + " type=" + s.type();
            case Bind s -> "bind slot=" + s.qp() + " | " + s.request().format();
            case Modify s -> modify(s);
            case PostSend s -> {
                StringBuilder line = new StringBuilder("send slot=" + s.qp());
                s.requests().forEach(request -> line.append(" | ").append(request.format()));
                yield line.toString();
            }
            case PostReceive s -> "receive slot=" + s.qp() + batch(s.receives());
            case PostShared s -> "share slot=" + s.srq() + batch(s.receives());
            case OpenSrq s ->
                String.format("srq slot=%d pd=%d receives=%d pieces=%d", s.srq(), s.pd(), s.receives(), s.pieces());
            case ArmLimit s -> "limit slot=" + s.srq() + " receives=" + s.limit();
            case Resize s -> "resize slot=" + s.srq() + " receives=" + s.receives();
            case QuerySrq s -> "query-srq slot=" + s.srq();
            case Query s -> "query slot=" + s.qp();
            case Fill s ->
                "fill slot=" + s.domain() + " offset=" + s.offset() + " length=" + s.length() + " seed=" + s.seed();
        };
    }

    private static String batch(List<List<Place>> receives) {
        StringBuilder text = new StringBuilder();
        receives.forEach(one -> text.append(" | ").append(SendRequest.list(one)));
        return text.toString();
    }

    private static String modify(Modify step) {
        StringBuilder line = new StringBuilder("modify slot=" + step.qp());
        step.values()
                .forEach((name, value) ->
                        line.append(' ').append(name).append('=').append(value));
        return line.toString();
    }

    /**
     * Reads a line back.
     *
     * @throws IllegalArgumentException if it is none that {@link #format} wrote
     */
    public static Step parse(String line) {
        String[] parts = line.split("\\|", -1);
        Words words = new Words(parts[0]);
        return switch (words.head()) {
            case "pd" -> new OpenPd(words.number("slot"), words.number("context"));
            case "cq" -> new OpenCq(words.number("slot"), words.number("context"), words.number("entries"));
            case "mr" ->
                new OpenRegion(
                        words.number("slot"),
                        words.number("pd"),
                        words.number("offset"),
                        words.number("length"),
                        words.number("access"));
            case "qp" ->
                new OpenQp(
                        words.number("slot"),
                        QpType.valueOf(words.text("type")),
                        words.number("pd"),
                        words.number("srq"),
                        words.number("send-cq"),
                        words.number("receive-cq"),
                        words.number("sends"),
                        words.number("receives"),
                        words.number("pieces"),
                        words.number("inline"),
                        Boolean.parseBoolean(words.text("all-signalled")));
            case "close" -> new Close(SlotKind.valueOf(words.text("kind")), words.number("slot"));
            case "modify" -> modify(words);
            case "send" -> new PostSend(words.number("slot"), sends(parts));
            case "receive" -> new PostReceive(words.number("slot"), receives(parts));
            case "ah" -> new OpenAh(words.number("slot"), words.number("pd"), words.number("lid"), words.number("sl"));
            case "mw" -> new OpenWindow(words.number("slot"), words.number("pd"), words.number("type"));
            case "bind" -> new Bind(words.number("slot"), SendRequest.parse(parts[1]));
            case "share" -> new PostShared(words.number("slot"), receives(parts));
            case "srq" ->
                new OpenSrq(words.number("slot"), words.number("pd"), words.number("receives"), words.number("pieces"));
            case "limit" -> new ArmLimit(words.number("slot"), words.number("receives"));
            case "resize" -> new Resize(words.number("slot"), words.number("receives"));
            case "query-srq" -> new QuerySrq(words.number("slot"));
            case "query" -> new Query(words.number("slot"));
            case "fill" ->
                new Fill(words.number("slot"), words.number("offset"), words.number("length"), words.wide("seed"));
            default -> throw new IllegalArgumentException("no step begins with " + words.head());
        };
    }

    /** The steps of a text, without its comments. */
    public static List<Step> parseAll(String text) {
        List<Step> steps = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                steps.add(parse(line));
            }
        }
        return steps;
    }

    private static Modify modify(Words words) {
        Map<QpAttribute, Long> values = new EnumMap<>(QpAttribute.class);
        words.values().forEach((name, value) -> {
            if (!name.equals("slot")) {
                values.put(QpAttribute.valueOf(name), Long.parseLong(value));
            }
        });
        return new Modify(words.number("slot"), values);
    }

    private static List<SendRequest> sends(String[] parts) {
        List<SendRequest> requests = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            requests.add(SendRequest.parse(parts[i]));
        }
        return requests;
    }

    private static List<List<Place>> receives(String[] parts) {
        List<List<Place>> receives = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            receives.add(SendRequest.places(parts[i].strip()));
        }
        return receives;
    }
}
