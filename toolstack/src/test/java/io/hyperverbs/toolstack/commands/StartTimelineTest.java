package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.progress.QuietProgress;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.StartTimes;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartTimelineTest {
    private static final long ORIGIN = 1_000_000;

    private long now;
    private final StartTimeline timeline = new StartTimeline(new QuietProgress(), () -> now);

    private static DomainReport domain(String name, DomainKind kind, long begunMillis, StartTimes start) {
        return new DomainReport(
                name, 1, kind, DomainState.RUNNING, 1, 1, begunMillis, 0, "", "", "1", "", "", "hv0", start);
    }

    @Test
    void saysWhenEachHadComeHowFar() {
        now = ORIGIN + 400;
        timeline.begin("starting pair", 3);
        now = ORIGIN + 1_010;
        timeline.step("VMM");
        now = ORIGIN + 3_000;
        timeline.step("a");
        DomainReport device = domain(
                "driver",
                DomainKind.BACKEND,
                ORIGIN + 1_020,
                new StartTimes(ORIGIN + 1_030, 0, ORIGIN + 1_400, ORIGIN + 1_900));
        DomainReport guest = domain(
                "a",
                DomainKind.GUEST,
                ORIGIN + 1_910,
                new StartTimes(ORIGIN + 1_950, ORIGIN + 1_960, ORIGIN + 2_500, ORIGIN + 2_994));
        DomainReport host = domain("host", DomainKind.NATIVE, ORIGIN + 1_910, new StartTimes(0, ORIGIN + 1_970, 0, 0));

        assertThat(timeline.lines(ORIGIN, List.of(device, guest, host)))
                .containsExactly(
                        "DOMAIN  BEGUN  PROCESS  ANNOUNCED  CONNECTED  READY",
                        "hv      0.00   -        -          -          0.40",
                        "VMM     0.40   -        -          -          1.01",
                        "driver  1.02   1.03     -          1.40       1.90",
                        "a       1.91   1.95     1.96       2.50       2.99",
                        "host    1.91   -        1.97       -          -");
    }
}
