package io.hyperverbs.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files and methods of all modules are of a size that is read at once, and one name means one class. */
class SourcesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int MAX_FILE_LINES = 400;
    private static final int MAX_METHOD_LINES = 60;

    /** Longer methods, and why each is read at once all the same. */
    private static final Map<String, String> TABLES = Map.of(
            "CallFilterTest.listsNoCallThatReachesOthers", "one system call a line",
            "KeyAttacks.cases", "one attack after the other",
            "QueueAttacks.cases", "one attack after the other",
            "SandboxAttacks.cases", "one attack after the other",
            "TopologyLoaderTest.badFiles", "one mistake a line");

    private static List<Path> files;

    @BeforeAll
    static void findSources() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            files = all.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !ROOT.relativize(path).toString().contains("target/"))
                    .toList();
        }
        assertThat(files).hasSizeGreaterThan(1000);
    }

    @Test
    void noFileHasMoreThan400Lines() throws IOException {
        List<String> longer = new ArrayList<>();
        for (Path file : files) {
            try (Stream<String> lines = Files.lines(file)) {
                long count = lines.count();
                if (count > MAX_FILE_LINES) {
                    longer.add(ROOT.relativize(file) + " has " + count + " lines");
                }
            }
        }

        assertThat(longer).isEmpty();
    }

    @Test
    void noMethodButATableHasMoreThan60Lines() throws IOException {
        Map<String, Long> longer = new TreeMap<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager =
                compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            Trees trees = Trees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Bodies(unit, trees, longer).scan(unit, null);
            }
        }

        assertThat(longer.keySet()).as("%s", longer).containsExactlyInAnyOrderElementsOf(TABLES.keySet());
    }

    @Test
    void oneNameMeansOneClass() {
        Map<String, List<Path>> places = files.stream()
                .map(ROOT::relativize)
                // Each package has one of these, which is no class.
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
        places.values().removeIf(same -> same.size() == 1);

        assertThat(places).isEmpty();
    }

    /** Remembers the methods whose bodies are too long, by class and name. */
    private static final class Bodies extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final Trees trees;
        private final Map<String, Long> longer;

        Bodies(CompilationUnitTree unit, Trees trees, Map<String, Long> longer) {
            this.unit = unit;
            this.trees = trees;
            this.longer = longer;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            BlockTree body = method.getBody();
            if (body != null) {
                long lines = lineOf(trees.getSourcePositions().getEndPosition(unit, body))
                        - lineOf(trees.getSourcePositions().getStartPosition(unit, body))
                        + 1;
                if (lines > MAX_METHOD_LINES) {
                    String file = Path.of(unit.getSourceFile().getName())
                            .getFileName()
                            .toString();
                    longer.merge(file.replace(".java", ".") + method.getName(), lines, Math::max);
                }
            }
            return super.visitMethod(method, nothing);
        }

        private long lineOf(long position) {
            return unit.getLineMap().getLineNumber(position);
        }
    }
}
