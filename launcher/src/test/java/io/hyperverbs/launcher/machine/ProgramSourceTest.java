package io.hyperverbs.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.lab.bench.PingPong;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramSourceTest {
    @TempDir
    Path folder;

    private ProgramSource source() {
        List<Path> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
        return new ProgramSource(classPath, folder.resolve("work"));
    }

    private HvException failure(String main) {
        return catchThrowableOfType(HvException.class, () -> source().find(main, List.of(), folder));
    }

    @Test
    void knowsPingPong() throws HvException {
        Program program = source().find("pingpong", List.of("-s", "64"), folder);

        assertThat(program.mainClass()).isEqualTo(PingPong.class.getName());
        assertThat(program.files())
                .singleElement()
                .satisfies(jar -> assertThat(jar.toString()).contains("bench"));
        assertThat(program.args()).containsExactly("-s", "64");
    }

    @Test
    void knowsItByItsClassToo() throws HvException {
        assertThat(source().find(PingPong.class.getName(), List.of(), folder))
                .isEqualTo(source().find("pingpong", List.of(), folder));
    }

    @Test
    void takesClassesAsTheyAre() throws HvException {
        assertThat(source().find("a.b.C$D", List.of(), folder).mainClass()).isEqualTo("a.b.C$D");
    }

    @ParameterizedTest
    @ValueSource(strings = {"WriteHello", "ReadRemote"})
    void compilesTheExamples(String name) throws HvException {
        Path file = Path.of("..", "examples", name + ".java").toAbsolutePath();

        Program program = source().find(file.toString(), List.of(), folder);

        assertThat(program.mainClass()).isEqualTo(name);
        assertThat(program.files().getFirst().resolve(name + ".class")).exists();
    }

    /** As the JVM's own words about a null pointer and {@link Method#getParameters} have them. */
    @Test
    void compiledSourcesKeepTheNamesOfVariablesAndParameters() throws Exception {
        Files.writeString(folder.resolve("Named.java"), """
            public class Named {
                public static void main(String[] words) {
                    String nothing = words.length > 0 ? words[0] : null;
                    nothing.length();
                }
            }
            """);
        Program program = source().find("Named.java", List.of(), folder);

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {program.files().getFirst().toUri().toURL()})) {
            Method main = loader.loadClass("Named").getMethod("main", String[].class);

            assertThat(main.getParameters()[0].getName()).isEqualTo("words");
            assertThatThrownBy(() -> main.invoke(null, (Object) new String[0]))
                    .cause()
                    .hasMessageEndingWith("because \"nothing\" is null")
                    .satisfies(thrown ->
                            assertThat(thrown.getStackTrace()[0].toString()).endsWith("(Named.java:4)"));
        }
    }

    @Test
    void findsThePackageOfASource() throws Exception {
        Files.writeString(folder.resolve("P.java"), "package x.y;\npublic class P { void main() {} }\n");

        assertThat(source().find("P.java", List.of(), folder).mainClass()).isEqualTo("x.y.P");
    }

    @Test
    void compilerErrorsNameTheLine() throws Exception {
        Files.writeString(folder.resolve("Bad.java"), "class Bad {\n  int x = y;\n}\n");

        HvException failure = failure("Bad.java");

        assertThat(failure.exit()).isEqualTo(ExitCode.FAILURE);
        assertThat(failure.problems().getFirst().text())
                .startsWith("Bad.java:2: cannot find symbol")
                .doesNotContain("\n");
    }

    @Test
    void jarsNameTheirMainClass() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "p.Main");
        Path jar = folder.resolve("p.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();

        Program program = source().find("p.jar", List.of(), folder);

        assertThat(program).isEqualTo(new Program("p.Main", List.of(jar), List.of()));
    }

    @Test
    void jarWithoutMainClassIsMisuse() throws Exception {
        new JarOutputStream(Files.newOutputStream(folder.resolve("q.jar")), new Manifest()).close();

        assertThat(failure("q.jar").exit()).isEqualTo(ExitCode.USAGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no.jar", "No.java", "sub/No.java"})
    void missingFilesAreNotFound(String main) {
        assertThat(failure(main).exit()).isEqualTo(ExitCode.NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "../x", "9lives", "a..b"})
    void otherWordsAreMisuse(String main) {
        assertThat(failure(main).exit()).isEqualTo(ExitCode.USAGE);
    }
}
