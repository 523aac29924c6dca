package io.hyperverbs.lab.conformance;

import java.util.ArrayList;
import java.util.List;

/** Collects the cases of one group. For one thread. */
public final class CaseList {
    private final String group;
    private final List<ConformanceCase> cases = new ArrayList<>();

    public CaseList(String group) {
        this.group = group;
    }

    /**
     * Adds a case.
     *
     * @param behaviour the name after the dot
     */
    public void add(String behaviour, String rule, ConformanceCase.Body body) {
        cases.add(new ConformanceCase(group + "." + behaviour, group, rule, body));
    }

    /** What was added so far, in that order. */
    public List<ConformanceCase> cases() {
        return List.copyOf(cases);
    }
}
