package io.hyperverbs.toolstack.isolate;

/**
 * One attack.
 *
 * @param name such as {@code queues.producer-jump}
 * @param row of the list of threats, such as {@code A4}
 * @param does what the attacker does, in one line
 * @param anchor the published bug or paper it comes from
 * @param target what it is aimed at
 * @param expected what must be seen
 */
public record IsolationCase(
        String name,
        String row,
        String does,
        String anchor,
        String target,
        String expected,
        Attack attack) {

    /** Runs in the attacker's process. */
    @FunctionalInterface
    public interface Attack {
        /**
         * Attacks.
         *
         * @return what was seen, if that is as expected
         * @throws Breach if it is not
         */
        String run(Mallory mallory) throws Exception;
    }

    /** Letter of its group. */
    public String group() {
        return name.substring(0, name.indexOf('.'));
    }
}
