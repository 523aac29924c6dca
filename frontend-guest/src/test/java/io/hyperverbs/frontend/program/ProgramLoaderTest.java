package io.hyperverbs.frontend.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.verbs.Domain;
import java.net.URL;
import org.junit.jupiter.api.Test;

/** Programs in a process that has their classes too, as the device domain has those of native programs. */
class ProgramLoaderTest {
    /** Of the program; its static field is the program's own. */
    public static final class Counted {
        public static int count;

        private Counted() {}
    }

    @Test
    void programsDoNotShareTheStaticFieldsOfTheirClasses() throws Exception {
        Counted.count = 7;
        try (ProgramLoader one = loader(Counted.class);
                ProgramLoader other = loader(Counted.class)) {
            Class<?> ofOne = one.loadClass(Counted.class.getName());
            ofOne.getField("count").setInt(null, 1);

            assertThat(ofOne.getClassLoader()).isSameAs(one);
            assertThat(one.loadClass(Counted.class.getName())).isSameAs(ofOne);
            assertThat(other.loadClass(Counted.class.getName())
                            .getField("count")
                            .getInt(null))
                    .isZero();
            assertThat(Counted.count).isEqualTo(7);
        }
    }

    @Test
    void theVerbsApiAndTheDriverAreOfTheProcess() throws Exception {
        try (ProgramLoader loader = loader(Counted.class, Domain.class)) {
            assertThat(loader.loadClass(Domain.class.getName())).isSameAs(Domain.class);
            assertThat(loader.loadClass(DriverDomain.class.getName())).isSameAs(DriverDomain.class);
        }
    }

    private static ProgramLoader loader(Class<?>... ofModules) {
        URL[] classPath = new URL[ofModules.length];
        for (int i = 0; i < classPath.length; i++) {
            classPath[i] = ofModules[i].getProtectionDomain().getCodeSource().getLocation();
        }
        return new ProgramLoader(classPath, ProgramLoaderTest.class.getClassLoader());
    }
}
