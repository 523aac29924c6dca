package io.hyperverbs.vmm.domain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults in the order of their times; of one time, in the order in which they were given. What fails is counted and
 * logged, and the next one is carried out nevertheless. Counts are for any thread, the rest for one.
 */
final class FaultSchedule {
    private static final Logger LOG = LoggerFactory.getLogger(FaultSchedule.class);
    private static final double NANOS_PER_SECOND = 1e9;

    /** There is no fault left. */
    static final long NEVER = Long.MAX_VALUE;

    /** Carries out a fault. */
    interface Carrier {
        /** @throws MachineException why it could not be carried out, or not as a whole */
        void carryOut(TimedFault fault) throws MachineException;
    }

    private final List<TimedFault> faults;
    private final Carrier carrier;
    private volatile FaultCounts counts;

    FaultSchedule(List<TimedFault> faults, Carrier carrier) {
        List<TimedFault> sorted = new ArrayList<>(faults);
        // A stable sort.
        sorted.sort(Comparator.comparingLong(TimedFault::atNanos));
        this.faults = List.copyOf(sorted);
        this.carrier = carrier;
        this.counts = new FaultCounts(faults.size(), 0, 0);
    }

    FaultCounts counts() {
        return counts;
    }

    /** When the next fault is due, from the beginning of the schedule; {@link #NEVER}: all are done. */
    long nextNanos() {
        int next = counts.done();
        return next == faults.size() ? NEVER : faults.get(next).atNanos();
    }

    /** Carries out all that are due so long after the beginning. */
    void doWork(long elapsedNanos) {
        while (nextNanos() <= elapsedNanos) {
            TimedFault fault = faults.get(counts.done());
            int number = counts.done() + 1;
            String which = String.format(
                    Locale.ROOT,
                    "fault %d of %d, at %.3f s: %s",
                    number,
                    faults.size(),
                    fault.atNanos() / NANOS_PER_SECOND,
                    fault.words());
            boolean isDone = carryOut(fault, which);
            counts = new FaultCounts(faults.size(), number, counts.failed() + (isDone ? 0 : 1));
        }
    }

    private boolean carryOut(TimedFault fault, String which) {
        try {
            carrier.carryOut(fault);
            LOG.warn("{}", which);
            return true;
        } catch (MachineException e) {
            LOG.error("{}: {}", which, e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.error("{}", which, e);
        }
        return false;
    }
}
