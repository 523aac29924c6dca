package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.attacks.MeasurePoint;
import io.hyperverbs.lab.attacks.VerbPace;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The judge of an attack whose price others might pay: at the moments that the attacker names it
 * asks the stopwatch, and stops the attacker if that is the attack.
 */
final class PaceWatch {
    /** Measurements at each calm or busy moment of an attack that is held to percentiles. */
    private static final int FIRM_MEASUREMENTS = 9;

    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Nobody is stopped longer. */
    private static final Duration LONGEST_STOP = Duration.ofSeconds(60);

    /** Of the first stop, what each later one lasts. */
    private static final int LATER_PART = 10;

    private final MachineClient client;
    private final Stopwatch stopwatch;
    private final LiveHeap heap;
    private final Duration duration;
    private final Paces paces = new Paces();
    private boolean warm;
    private boolean stoppedBefore;

    /**
     * @param duration how long an attacker is stopped, within reason
     */
    PaceWatch(MachineClient client, Stopwatch stopwatch, LiveHeap heap, Duration duration) {
        this.client = client;
        this.stopwatch = stopwatch;
        this.heap = heap;
        this.duration = duration;
    }

    /** Serves the moments of an attack until there are no more, or its guest has said its word. */
    Paces run(String attacker, String attack, AttackEnd end) throws HvException, InterruptedException {
        long calmHeap = 0;
        for (int n = 0; ; n++) {
            switch (next(attacker, attack, n, end)) {
                case CALM -> {
                    warm();
                    paces.calm(measure());
                    calmHeap = heap.bytes();
                }
                case ASKING -> paces.asking(measure());
                case CALM_AS_LONG -> {
                    warm();
                    measureFor(stop(), paces::calm);
                    calmHeap = heap.bytes();
                }
                case BESIDE -> paces.beside(measure());
                case STOPPED -> stopped(attacker, calmHeap);
                case OVER -> {
                    return paces;
                }
            }
            goOn(attacker, attack, n);
        }
    }

    private void warm() throws HvException {
        if (MeasurePoint.isFirm(duration) && !warm) {
            stopwatch.warm();
            warm = true;
        }
    }

    private void measureFor(Duration time, Consumer<List<VerbPace>> measured) throws HvException {
        long until = System.nanoTime() + time.toNanos();
        do {
            stopwatch.measure().ifPresentOrElse(pace -> measured.accept(List.of(pace)), paces::starved);
        } while (!paces.isStarved() && System.nanoTime() - until < 0);
    }

    /** Of a few milliseconds' work a single percentile says little. Nothing, once verbs were not done. */
    private List<VerbPace> measure() throws HvException {
        List<VerbPace> measured = new ArrayList<>();
        int wanted = MeasurePoint.isFirm(duration) ? FIRM_MEASUREMENTS : 1;
        while (measured.size() < wanted && !paces.isStarved()) {
            stopwatch.measure().ifPresentOrElse(measured::add, paces::starved);
        }
        return measured;
    }

    /** Whether an attack is over. */
    @FunctionalInterface
    interface AttackEnd {
        boolean reached() throws HvException;
    }

    private MeasurePoint next(String attacker, String attack, int n, AttackEnd end) throws HvException {
        try {
            while (true) {
                boolean over = end.reached();
                Optional<String> named = client.storeRead(
                        "domain/" + attacker + "/" + MeasurePoint.key(attack, n), over ? Duration.ZERO : LOOK);
                if (named.isPresent() || over) {
                    return named.map(MeasurePoint::parse).orElse(MeasurePoint.OVER);
                }
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private void stopped(String attacker, long calmHeap) throws HvException, InterruptedException {
        long pid = pid(attacker);
        ProcessSignal.STOP.send(pid);
        try {
            measureFor(stop(), paces::beside);
            stoppedBefore = true;
            paces.heap(heap.bytes() - calmHeap);
        } finally {
            ProcessSignal.CONT.send(pid);
        }
    }

    /**
     * How long the next stop lasts, and the calm before it. The first shows what piles up; the later ones are short,
     * as a computer's own pace changes within seconds and has to be the same on both sides.
     */
    private Duration stop() {
        Duration first = duration.compareTo(LONGEST_STOP) > 0 ? LONGEST_STOP : duration;
        return stoppedBefore ? first.dividedBy(LATER_PART) : first;
    }

    private long pid(String attacker) throws HvException {
        try {
            return client.status().domains().stream()
                    .filter(domain -> domain.name().equals(attacker))
                    .findFirst()
                    .orElseThrow(() -> new HvException(ExitCode.FAILURE, attacker + " is gone", ""))
                    .pid();
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private void goOn(String attacker, String attack, int n) throws HvException {
        try {
            client.storeWrite("domain/tool/" + MeasurePoint.goOn(attacker, attack, n), "");
            if (n > 0) {
                // Keys of one name are bounded.
                client.storeRemove("domain/tool/" + MeasurePoint.goOn(attacker, attack, n - 1));
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }
}
