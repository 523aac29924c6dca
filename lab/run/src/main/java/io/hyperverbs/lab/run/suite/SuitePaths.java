package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.MeasuredPath;
import java.util.List;

/** The systems that are compared: no VMM, the one of the paper, and the classic split driver. */
final class SuitePaths {
    static final List<MeasuredPath> ALL = List.of(MeasuredPath.NATIVE, MeasuredPath.BYPASS, MeasuredPath.FORWARDED);

    private SuitePaths() {}
}
