package io.hyperverbs.launcher.output;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** Points in time, one spelling for each reader. Stateless. */
public final class Times {
    private static final DateTimeFormatter ISO =
            new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);
    private static final DateTimeFormatter OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT);
    private static final DateTimeFormatter WITH_DAY =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

    private Times() {}

    /**
     * For programs: ISO 8601 in UTC, always with six digits after the second, so that the order of
     * the texts is the order in time.
     */
    public static String iso(Instant instant) {
        return ISO.format(instant);
    }

    /**
     * For people, as the verb log writes it: the time of day in {@code zone}, with the date unless
     * that is the date {@code now}.
     */
    public static String local(Instant instant, Instant now, ZoneId zone) {
        ZonedDateTime at = instant.atZone(zone);
        boolean today = at.toLocalDate().equals(now.atZone(zone).toLocalDate());
        return (today ? OF_DAY : WITH_DAY).format(at);
    }
}
