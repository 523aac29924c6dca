package io.hyperverbs.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The corpora find a mistake in each kind of code that is fuzzed. */
class PlantedFaultTest {
    @ParameterizedTest
    @EnumSource
    void corpusFindsIt(PlantedFault fault) throws Throwable {
        PlantedLoader loader = new PlantedLoader(fault);
        Class<?> door = loader.loadClass(PlantedDoor.class.getName());
        MethodHandle play = MethodHandles.publicLookup()
                .findStatic(door, "play", MethodType.methodType(void.class, String.class, byte[].class));

        int found = 0;
        for (byte[] input : Corpus.inputs(fault.kind)) {
            try {
                play.invoke(fault.kind.word(), input);
            } catch (AssertionError | RuntimeException e) {
                found++;
            }
        }

        assertThat(loader.calls()).as("calls that lead to the mistake").isPositive();
        assertThat(found).as("inputs that show it").isPositive();
    }
}
