package io.hyperverbs.lab.conformance;

import io.hyperverbs.lab.conformance.rig.Rig;

/**
 * One promise of the verbs, with the steps that hold a device to it.
 *
 * @param name group and behaviour, such as {@code rc.send-fills-receive}
 * @param group the part of the name before the dot
 * @param rule what is promised, in one line, with its source; a choice where the sources leave one
 * @param body throws if the promise is broken
 */
public record ConformanceCase(String name, String group, String rule, Body body) {
    /** The steps of a case. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs once, on a rig of its own, which the caller closes.
         *
         * @throws AssertionError if the promise is broken
         * @throws Exception if a step failed that no rule speaks of; the case fails as well
         */
        void run(Rig rig) throws Exception;
    }

    public ConformanceCase {
        if (!name.startsWith(group + ".") || name.contains(" ")) {
            throw new IllegalArgumentException("case " + name + " of group " + group);
        }
        if (rule.isBlank() || rule.contains("\n")) {
            throw new IllegalArgumentException("case " + name + " needs a rule of one line");
        }
    }
}
