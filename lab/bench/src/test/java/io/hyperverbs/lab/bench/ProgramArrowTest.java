package io.hyperverbs.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Programs run in guests, where there is nothing of the toolstack but themselves. */
class ProgramArrowTest {
    private static final List<String> ALLOWED = List.of("java/", "io/hyperverbs/verbs/", "io/hyperverbs/lab/bench/");

    @Test
    void programsUseTheVerbsApiAlone() throws Exception {
        List<Path> classes = classes();
        TreeSet<String> used = new TreeSet<>();
        for (Path file : classes) {
            used.addAll(usedBy(file));
        }

        assertThat(classes).hasSizeGreaterThan(8).anyMatch(file -> file.endsWith(Path.of("perf", "PerfProgram.class")));
        assertThat(used).contains("io/hyperverbs/verbs/Domain");
        assertThat(used).allMatch(name -> ALLOWED.stream().anyMatch(name::startsWith));
    }

    private static List<Path> classes() throws Exception {
        URI place = PingPong.class
                .getResource(PingPong.class.getSimpleName() + ".class")
                .toURI();
        try (Stream<Path> files = Files.walk(Path.of(place).getParent())) {
            return files.filter(file -> file.toString().endsWith(".class")).toList();
        }
    }

    private static List<String> usedBy(Path file) throws IOException {
        ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
        List<String> names = new ArrayList<>();
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof ClassEntry used) {
                String name = used.asInternalName().replaceFirst("^\\[+L?", "");
                // Arrays of primitives have one letter left.
                if (name.length() > 1 && !name.startsWith("org/jspecify/")) {
                    names.add(name.replace(";", ""));
                }
            }
        }
        return names;
    }
}
