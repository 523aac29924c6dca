package io.hyperverbs.frontend.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.verbs.Domain;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs in a process that has their classes too, as the device domain has those of native programs. */
class ProgramLoaderTest {
    /** Of the program; its static field is the program's own. */
    public static final class Counted {
        public static int count;

        private Counted() {}
    }

    @TempDir
    Path folder;

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

    /** A program of a JAR with a resource whose name has to be escaped in URLs. */
    private Path jar() throws Exception {
        Path jar = folder.resolve("program of two words.jar");
        String name = Counted.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream bytes = ProgramLoaderTest.class.getClassLoader().getResourceAsStream(name)) {
            out.putNextEntry(new ZipEntry(name));
            bytes.transferTo(out);
            out.putNextEntry(new ZipEntry("data/a b.txt"));
            out.write("words".getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    @Test
    void theEndOfAProgramLeavesTheJarToOthers() throws Exception {
        URL[] classPath = {jar().toUri().toURL()};
        ClassLoader parent = ProgramLoaderTest.class.getClassLoader();
        try (ProgramLoader other = new ProgramLoader(classPath, parent)) {
            InputStream ofOther;
            ProgramLoader gone;
            try (ProgramLoader one = new ProgramLoader(classPath, parent)) {
                assertThat(one.loadClass(Counted.class.getName()).getClassLoader())
                        .isSameAs(one);
                ofOther = other.getResourceAsStream("data/a b.txt");
                assertThat(one.getResourceAsStream("data/a b.txt")).hasContent("words");
                gone = one;
            }
            assertThat(gone.getResourceAsStream("data/a b.txt")).isNull();

            assertThat(ofOther).hasContent("words");
            assertThat(other.loadClass(Counted.class.getName()).getClassLoader())
                    .isSameAs(other);
            assertThat(other.getResourceAsStream("nowhere.txt")).isNull();
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
