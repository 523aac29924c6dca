package io.hyperverbs.tests.fuzz;

/** Where a test comes into classes of another loader. */
public final class PlantedDoor {
    private PlantedDoor() {}

    /** Plays one input against the target of that name. */
    public static void play(String kind, byte[] input) {
        FuzzKind.of(kind).play(input);
    }
}
