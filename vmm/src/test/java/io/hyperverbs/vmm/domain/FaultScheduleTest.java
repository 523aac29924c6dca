package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
    private final List<String> carriedOut = new ArrayList<>();

    private FaultSchedule schedule(TimedFault... faults) {
        return new FaultSchedule(List.of(faults), fault -> {
            carriedOut.add(fault.words());
            if (fault.words().equals("kill stubborn")) {
                throw new MachineException(VerbsStatus.ENOENT, "no domain stubborn");
            }
            if (fault.words().equals("kill odd")) {
                throw new IllegalStateException("odd");
            }
        });
    }

    private static TimedFault kill(long atNanos, String domain) {
        return new TimedFault.Kill(atNanos, domain);
    }

    @Test
    void carriesOutWhatIsDueInTheOrderOfTimesThenOfTheFile() {
        FaultSchedule schedule = schedule(
                kill(30, "late"),
                new TimedFault.SetLink(10, "hv0", "hv1", "loss=1%"),
                kill(20, "second"),
                kill(20, "third"));

        schedule.doWork(9);
        assertThat(carriedOut).isEmpty();
        assertThat(schedule.nextNanos()).isEqualTo(10);
        schedule.doWork(10);
        assertThat(carriedOut).containsExactly("link hv0-hv1 loss=1%");
        assertThat(schedule.nextNanos()).isEqualTo(20);
        schedule.doWork(1_000);

        assertThat(carriedOut).containsExactly("link hv0-hv1 loss=1%", "kill second", "kill third", "kill late");
        assertThat(schedule.nextNanos()).isEqualTo(FaultSchedule.NEVER);
        assertThat(schedule.counts()).isEqualTo(new FaultCounts(4, 4, 0));
    }

    @Test
    void whatFailsIsCountedAndStopsNothing() {
        FaultSchedule schedule = schedule(kill(1, "stubborn"), kill(2, "odd"), kill(3, "a"), kill(4, "b"));

        schedule.doWork(3);

        assertThat(carriedOut).containsExactly("kill stubborn", "kill odd", "kill a");
        assertThat(schedule.counts()).isEqualTo(new FaultCounts(4, 3, 2));
    }

    @Test
    void withoutFaultsItIsOver() {
        assertThat(schedule().nextNanos()).isEqualTo(FaultSchedule.NEVER);
        assertThat(schedule().counts()).isEqualTo(FaultCounts.none());
    }
}
