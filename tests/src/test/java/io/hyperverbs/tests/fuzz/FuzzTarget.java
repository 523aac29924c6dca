package io.hyperverbs.tests.fuzz;

/** Code under attack, with its judge. Keeps nothing from one input to the next. */
interface FuzzTarget {
    /**
     * Plays one input.
     *
     * @throws AssertionError or whatever the code threw: a finding
     */
    void play(Input input);
}
