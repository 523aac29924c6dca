package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** Programs of {@code tests/src/test/c}, compiled for the test that runs them. */
final class CPrograms {
    private static final Path SOURCES = Path.of("src/test/c");
    private static final Path LIBRARY = Path.of("../libibverbs");

    private final Path folder;

    /**
     * @param folder for what the compiler makes
     */
    CPrograms(Path folder) {
        this.folder = folder;
    }

    /** The test is skipped where they cannot be compiled. */
    static void assumeCompiler() {
        ExecutableGuests.assumePrograms(List.of("gcc", "ibv_devinfo"), "gcc libibverbs-dev ibverbs-utils");
    }

    /** Compiles NAME.c, for libibverbs as this computer has it. */
    Path compile(String name) throws Exception {
        return compile("gcc", name, List.of("-libverbs"));
    }

    /** Compiles NAME.c for MPICH, whose compiler is gcc. */
    Path compileForMpich(String name) throws Exception {
        return compile("mpicc.mpich", name, List.of());
    }

    /** Compiles NAME.c with what the C library speaks to the driver by. */
    Path compileWithChannel(String name) throws Exception {
        Path sources = LIBRARY.resolve("src/main/c");
        List<String> words = new ArrayList<>(List.of("-I" + sources, "-I" + LIBRARY.resolve("target/generated")));
        Stream.of("program.c", "places.c", "packets.c", "frames.c", "protobuf.c", "channel.c")
                .map(sources::resolve)
                .map(Path::toString)
                .forEach(words::add);
        return compile("gcc", name, words);
    }

    private Path compile(String compiler, String name, List<String> words) throws Exception {
        Path made = folder.resolve(name);
        List<String> line = new ArrayList<>(List.of(
                compiler, "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-s", "-pthread"));
        line.addAll(List.of("-o", made.toString(), SOURCES.resolve(name + ".c").toString()));
        line.addAll(words);
        output(line);
        return made;
    }

    /** What a command prints, which succeeds. */
    static String output(List<String> line) throws Exception {
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /** Puts one into a guest's {@code /tmp}, which no other process can write to. */
    static void install(Path program, ExecutableGuests guests, String guest) throws Exception {
        String bytes = Base64.getEncoder().encodeToString(Files.readAllBytes(program));
        guests.run(
                        "exec",
                        guest,
                        "--",
                        "sh",
                        "-c",
                        "printf %s \"$0\" | base64 -d > /tmp/$1 && chmod 755 /tmp/$1",
                        bytes,
                        program.getFileName().toString())
                .expect(0);
    }
}
