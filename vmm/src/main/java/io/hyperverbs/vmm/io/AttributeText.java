package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.StaticRate;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Attributes and rights as people read them, the same in the verb log and in the journal: {@code
 * state RTS, access LW|RW, timeout 14 (67 ms)}. Keys are those of {@code ibv_qp_attr}, in lower
 * case; queue pair and packet sequence numbers are hexadecimal. Stateless.
 */
public final class AttributeText {
    private static final String[] RIGHTS = {"LW", "RW", "RR", "RA", "MB", "ZB"};

    /** Ack timeouts are so long times a power of two (IBA vol. 1, local ACK timeout). */
    private static final double TIMEOUT_UNIT_MICROS = 4.096;

    private static final int FOR_EVER_RETRIES = 7;

    private AttributeText() {}

    /** All that are set, in the order of their declaration. */
    public static String of(QpAttributes attributes) {
        StringJoiner words = new StringJoiner(", ");
        attributes.values().forEach((attribute, value) -> words.add(key(attribute) + " " + of(attribute, value)));
        GlobalRoute route = attributes.route();
        if (route != null) {
            words.add("dgid " + route.destination());
        }
        if (attributes.staticRate() != 0) {
            words.add("static_rate " + attributes.staticRate() + " (" + rate(attributes.staticRate()) + ")");
        }
        return words.toString();
    }

    private static String rate(int code) {
        int megabits = StaticRate.megabitsPerSecond(code);
        String gigabits = megabits % 1000 == 0 ? "%.0f Gb/s" : "%.1f Gb/s";
        return megabits == 0 ? "the port's" : String.format(Locale.ROOT, gigabits, megabits / 1e3);
    }

    /** A mask of {@link io.hyperverbs.verbs.Access}, such as {@code LW|RW}; 0 for no right. */
    public static String rights(long access) {
        StringJoiner words = new StringJoiner("|");
        for (int bit = 0; bit < RIGHTS.length; bit++) {
            if ((access & (1L << bit)) != 0) {
                words.add(RIGHTS[bit]);
            }
        }
        long unknown = access >> RIGHTS.length;
        if (unknown != 0) {
            words.add(String.format(Locale.ROOT, "0x%x", unknown << RIGHTS.length));
        }
        return words.length() == 0 ? "0" : words.toString();
    }

    /** A queue pair number, packet sequence number or other number of 24 bits. */
    public static String number24(long number) {
        return String.format(Locale.ROOT, "0x%06x", number);
    }

    private static String key(QpAttribute attribute) {
        return switch (attribute) {
            case ACCESS_FLAGS -> "access";
            case AV -> "dlid";
            default -> attribute.name().toLowerCase(Locale.ROOT);
        };
    }

    private static String of(QpAttribute attribute, long value) {
        return switch (attribute) {
            case STATE, CUR_STATE ->
                QpState.isCode(value) ? QpState.of((int) value).name() : "?" + value;
            case ACCESS_FLAGS -> rights(value);
            case TIMEOUT -> value + " (" + timeout(value) + ")";
            case RNR_RETRY, RETRY_CNT -> value == FOR_EVER_RETRIES ? value + " (for ever)" : Long.toString(value);
            case RQ_PSN, SQ_PSN, DEST_QPN -> number24(value);
            case QKEY -> String.format(Locale.ROOT, "0x%08x", value);
            case EN_SQD_ASYNC_NOTIFY,
                    PKEY_INDEX,
                    PORT,
                    AV,
                    PATH_MTU,
                    MAX_QP_RD_ATOMIC,
                    MIN_RNR_TIMER,
                    MAX_DEST_RD_ATOMIC -> Long.toString(value);
        };
    }

    private static String timeout(long code) {
        if (code == 0) {
            return "for ever";
        }
        if (code < 0 || code > 31) {
            return "no such code";
        }
        double micros = TIMEOUT_UNIT_MICROS * (1L << code);
        double shown = micros < 1e3 ? micros : micros < 1e6 ? micros / 1e3 : micros / 1e6;
        String unit = micros < 1e3 ? "us" : micros < 1e6 ? "ms" : "s";
        return String.format(Locale.ROOT, shown < 10 ? "%.1f %s" : "%.0f %s", shown, unit);
    }
}
