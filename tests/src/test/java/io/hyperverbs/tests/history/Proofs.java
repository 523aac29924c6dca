package io.hyperverbs.tests.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.catalogue.Conformance;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks whether what is named as a proof is there: {@code Class}, {@code Class#method}, a case. */
public final class Proofs {
    private static final Path TOP = Path.of("").toAbsolutePath().getParent();
    private static final String TEST = "@(Test|ParameterizedTest|TestFactory|Property)\\b";

    private final Map<String, List<Path>> sources = new HashMap<>();
    private final Set<String> cases = Stream.concat(
                    Conformance.cases().stream().map(ConformanceCase::name),
                    Isolation.cases(List.of()).stream().map(IsolationCase::name))
            .collect(Collectors.toSet());

    /** Reads the names of all test sources. */
    public Proofs() throws IOException {
        Files.walkFileTree(TOP, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path at, BasicFileAttributes a) {
                String name = at.getFileName().toString();
                return name.equals("target") || name.startsWith(".")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
                String name = file.getFileName().toString();
                if (name.endsWith(".java") && file.toString().contains("/src/test/java/")) {
                    sources.computeIfAbsent(name.replace(".java", ""), _ -> new ArrayList<>())
                            .add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Fails if there is no such test or case. */
    public void expect(String proof) throws IOException {
        if (proof.contains(".")) {
            assertThat(cases).contains(proof);
            return;
        }
        String[] names = proof.split("#", 2);
        List<Path> found = sources.getOrDefault(names[0], List.of());
        assertThat(found).as("sources of %s", proof).hasSize(1);
        // The next method after the annotation, whatever other annotations stand between.
        Pattern test = names.length == 1
                ? Pattern.compile(TEST)
                : Pattern.compile(TEST + "((?!\\bvoid\\b)[\\s\\S])*void " + names[1] + "\\(");
        assertThat(test.matcher(Files.readString(found.getFirst())).find())
                .as("%s is a test", proof)
                .isTrue();
    }
}
