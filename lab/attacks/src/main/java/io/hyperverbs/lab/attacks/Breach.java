package io.hyperverbs.lab.attacks;

/** Something was seen that must not be; the message says what. */
public final class Breach extends Exception {
    private static final long serialVersionUID = 1L;

    public Breach(String observed) {
        super(observed);
    }

    /** Throws unless {@code holds}. */
    public static void unless(boolean holds, String observed) throws Breach {
        if (!holds) {
            throw new Breach(observed);
        }
    }
}
