package io.hyperverbs.launcher.trace;

import io.hyperverbs.vmm.io.VerbText;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a verb log:
 *
 * <pre>
 * 12:00:01.000410 [poller] post_send(qp=0x01f2a7, wr_id=1, RDMA_WRITE, 64) = 0 &lt;0.19us&gt; bypass
 * </pre>
 *
 * Its texts are the guest's: a name of a thread, arguments and result may hold any character but a line feed.
 *
 * @param time of the day on the guest's clock, with six digits after the second
 * @param thread the thread that called; empty for the guest's first
 * @param verb one of {@link #NAMES}
 * @param arguments without the brackets
 * @param micros how long it took, in us
 */
public record TracedVerb(
        String time, String thread, String verb, String arguments, String result, double micros, VerbWay way) {
    /** Names of verbs that a log may have, in order of the alphabet; a line with another is not understood. */
    public static final List<String> NAMES = VerbText.names();

    private static final Set<String> KNOWN = Set.copyOf(NAMES);
    private static final Pattern TIME = Pattern.compile("[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\\.[0-9]{6}");
    private static final Pattern MICROS = Pattern.compile("[0-9]{1,12}\\.[0-9]{2}");
    private static final Pattern DROPPED = Pattern.compile("\\[([0-9]{1,12}) lines dropped: [a-z ]*]");
    private static final String RETURNS = ") = ";
    private static final String TOOK = " <";
    private static final String TOOK_END = "us> ";

    /** What a line says, without its line feed; empty if it is none that a driver writes. */
    public static Optional<TracedVerb> parse(String line) {
        int timeEnd = line.indexOf(' ');
        int took = line.lastIndexOf(TOOK);
        int tookEnd = line.lastIndexOf(TOOK_END);
        if (timeEnd < 0 || took < timeEnd || tookEnd < took) {
            return Optional.empty();
        }
        String time = line.substring(0, timeEnd);
        String micros = line.substring(took + TOOK.length(), tookEnd);
        Optional<VerbWay> way = VerbWay.of(line.substring(tookEnd + TOOK_END.length()));
        if (way.isEmpty()
                || !TIME.matcher(time).matches()
                || !MICROS.matcher(micros).matches()) {
            return Optional.empty();
        }
        return call(line.substring(timeEnd + 1, took))
                .map(call -> new TracedVerb(
                        time,
                        call.thread,
                        call.verb,
                        call.arguments,
                        call.result,
                        Double.parseDouble(micros),
                        way.get()));
    }

    /** The middle of a line. */
    private record Call(String thread, String verb, String arguments, String result) {}

    private static Optional<Call> call(String text) {
        int begin = text.startsWith("[") ? afterThread(text) : 0;
        int bracket = text.indexOf('(', begin);
        int returns = bracket < 0 ? -1 : text.indexOf(RETURNS, bracket);
        if (returns < 0 || !KNOWN.contains(text.substring(begin, bracket))) {
            return Optional.empty();
        }
        return Optional.of(new Call(
                begin == 0 ? "" : text.substring(1, begin - 2),
                text.substring(begin, bracket),
                text.substring(bracket + 1, returns),
                text.substring(returns + RETURNS.length())));
    }

    /** A thread's name may have brackets in it, too: it ends where a verb begins. */
    private static int afterThread(String text) {
        for (int end = text.indexOf("] "); end >= 0; end = text.indexOf("] ", end + 1)) {
            int bracket = text.indexOf('(', end);
            if (bracket >= 0 && KNOWN.contains(text.substring(end + 2, bracket))) {
                return end + 2;
            }
        }
        return 0;
    }

    /** How many lines the guest's driver dropped here, as it says; 0 for any other line. */
    public static long dropped(String line) {
        Matcher notice = DROPPED.matcher(line);
        return notice.matches() ? Long.parseLong(notice.group(1)) : 0;
    }
}
