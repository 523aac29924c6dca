package io.hyperverbs.launcher.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class TimesTest {
    private static final Instant AT = Instant.parse("2026-01-02T23:30:00.123456789Z");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @Test
    void programsGetIso() {
        assertThat(Times.iso(AT)).isEqualTo("2026-01-02T23:30:00.123456Z");
    }

    @Test
    void isoTextsSortAsTheTimesDo() {
        assertThat(Times.iso(Instant.parse("2026-01-02T23:30:00.421Z")))
                .isEqualTo("2026-01-02T23:30:00.421000Z")
                .isLessThan(Times.iso(Instant.parse("2026-01-02T23:30:00.421368Z")));
        assertThat(Times.iso(Instant.parse("2026-01-02T23:30:00Z"))).isEqualTo("2026-01-02T23:30:00.000000Z");
    }

    @Test
    void peopleGetTheirTimeOfDayAndTheDateOfAnotherDay() {
        assertThat(Times.local(AT, Instant.parse("2026-01-03T08:00:00Z"), BERLIN))
                .isEqualTo("00:30:00.123456");
        assertThat(Times.local(AT, Instant.parse("2026-01-02T08:00:00Z"), BERLIN))
                .isEqualTo("2026-01-03 00:30:00.123456");
    }
}
