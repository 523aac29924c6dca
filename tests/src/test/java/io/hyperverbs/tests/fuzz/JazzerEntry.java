package io.hyperverbs.tests.fuzz;

/** Where Jazzer comes in; {@code -Dfuzz.kind} says for which target. */
public final class JazzerEntry {
    private static FuzzKind kind;

    private JazzerEntry() {}

    /** Called once by Jazzer. */
    public static void fuzzerInitialize() {
        kind = FuzzKind.of(System.getProperty("fuzz.kind"));
        // Classes are loaded and instrumented here, where no hang is timed.
        kind.play(new byte[0]);
    }

    /** Called by Jazzer with each input; whatever is thrown is a finding. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        kind.play(bytes);
    }
}
