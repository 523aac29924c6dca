package io.hyperverbs.lab.conformance.catalogue;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.cases.CaseClasses;
import java.util.Collection;
import java.util.List;

/** The catalogue of all cases. Callable from any thread. */
public final class Conformance {
    private static final List<ConformanceCase> ALL = DeclaredCases.of(CaseClasses.IN_ORDER);

    private Conformance() {}

    /** Every case, in the order in which they run. */
    public static List<ConformanceCase> cases() {
        return ALL;
    }

    /** The cases whose name or group is in {@code wanted}; all of them if it is empty. */
    public static List<ConformanceCase> cases(Collection<String> wanted) {
        return ALL.stream()
                .filter(one -> wanted.isEmpty() || wanted.contains(one.name()) || wanted.contains(one.group()))
                .toList();
    }
}
