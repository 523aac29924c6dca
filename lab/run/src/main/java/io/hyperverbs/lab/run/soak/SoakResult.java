package io.hyperverbs.lab.run.soak;

import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What became of a soak.
 *
 * @param peakPerSecond rounds that all victims together make at full speed
 * @param askedPerSecond rounds they were asked for
 * @param hadPerSecond rounds they made
 * @param before what each trusted process held
 * @param after the same processes
 */
public record SoakResult(
        List<FaultResult> faults,
        long peakPerSecond,
        long askedPerSecond,
        long hadPerSecond,
        List<Holding> before,
        List<Holding> after) {
    public SoakResult {
        faults = List.copyOf(faults);
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** What the trusted processes hold otherwise than before, a line for each. */
    public List<String> changed() {
        return IntStream.range(0, before.size())
                .mapToObj(i -> after.get(i).changed(before.get(i)))
                .flatMap(Optional::stream)
                .toList();
    }

    /** The worst of all faults; BREACH if something is held otherwise than before. */
    public Verdict verdict() {
        return changed().isEmpty()
                ? Verdict.worst(faults.stream().map(FaultResult::verdict).toList())
                : Verdict.BREACH;
    }
}
