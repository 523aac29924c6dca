package io.hyperverbs.lab.attacks;

import java.time.Duration;
import java.util.Locale;

/**
 * A moment of an attack at which its judge measures what others get. The attacker names it in the
 * store and waits; the judge measures and lets it go on.
 */
public enum MeasurePoint {
    /** The attacker has nothing and does nothing. */
    CALM,
    /** It asks as often as at the attack's height, and gets what it asks for. */
    ASKING,
    /** It has nothing and does nothing; the judge measures for as long as it will then stop the attacker. */
    CALM_AS_LONG,
    /** The attack is at its height. */
    BESIDE,
    /** The attack is at its height, and the judge stops the attacker's process meanwhile. */
    STOPPED,
    /** No more moments come. */
    OVER;

    private static final Duration FIRM = Duration.ofSeconds(10);

    /** Whether times are judged in attacks of that length; of shorter ones they say too little. */
    public static boolean isFirm(Duration duration) {
        return duration.compareTo(FIRM) >= 0;
    }

    /** Key under which an attacker names the n-th moment of an attack. */
    public static String key(String attack, int n) {
        return "isolate/moment/" + attack + "/" + n;
    }

    /** Key of the tool that lets it go on. */
    public static String goOn(String attacker, String attack, int n) {
        return "isolate/moved/" + attacker + "/" + attack + "/" + n;
    }

    String format() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads what an attacker wrote; whatever is no moment ends them. */
    public static MeasurePoint parse(String text) {
        for (MeasurePoint point : values()) {
            if (point.format().equals(text)) {
                return point;
            }
        }
        return OVER;
    }
}
