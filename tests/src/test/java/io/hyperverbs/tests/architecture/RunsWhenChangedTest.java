package io.hyperverbs.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.ClassSources;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.ledger.Sources;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What classes of tests that run when something has changed depend on. */
class RunsWhenChangedTest {
    /** The module's own name, which follows its parent, and those of the tree that it needs. */
    private static final Pattern NEEDED = Pattern.compile(
            "(?:</parent>|<groupId>io\\.hyperverbs</groupId>)\\s*<artifactId>(?!hyperverbs<)([^<]+)</artifactId>");

    @Test
    void dependsOnProductAndSharedSourcesButOnNoOtherTestAndNoLedger() throws Exception {
        Class<?> test = Class.forName("io.hyperverbs.tests.contract.ContractTest");

        List<String> sources = ClassSources.sources(test);

        assertThat(sources)
                .contains("hca-model/src/main", "lab/run/src/main", "toolstack/pom.xml", ClassSources.file(test))
                .doesNotContain("upper/mpi/src/main", ClassSources.file(RunsWhenChangedTest.class))
                .noneMatch(source -> source.contains("/proofs/"))
                .allSatisfy(source -> assertThat(Sources.file(source)).exists());
    }

    @Test
    void branchesAreModulesAndNamedByTheirFolder() throws Exception {
        assertThat(ClassSources.modules()).containsAll(ClassSources.BRANCHES);
        for (Class<?> test : classes()) {
            assertThat(test.getAnnotation(RunsWhenChanged.class).value())
                    .as("branches of %s", test)
                    .isSubsetOf(ClassSources.BRANCHES);
        }
    }

    /** What a class of a module depends on is taken from this order. */
    @Test
    void modulesStandBehindThoseThatTheyNeed() throws Exception {
        List<String> before = new ArrayList<>();
        for (String module : ClassSources.modules()) {
            String pom = Files.readString(Sources.file(module + "/pom.xml"));
            List<String> needed =
                    NEEDED.matcher(pom).results().map(found -> found.group(1)).toList();
            String own = needed.getFirst();

            assertThat(before).as("modules before %s", own).containsAll(needed.subList(1, needed.size()));
            before.add(own);
        }
        assertThat(before).contains("lab-ledger", "vmm", "toolstack");
    }

    /** All that run when something has changed. */
    private static List<Class<?>> classes() throws Exception {
        String root = "tests/src/test/java/";
        try (Stream<Path> files = Files.walk(Sources.file(root))) {
            List<String> names = files.map(
                            file -> Sources.file(root).relativize(file).toString())
                    .filter(file -> file.endsWith("Test.java"))
                    .map(file ->
                            file.substring(0, file.length() - ".java".length()).replace('/', '.'))
                    .toList();
            List<Class<?>> classes = new ArrayList<>();
            for (String name : names) {
                Class<?> test = Class.forName(name, false, RunsWhenChangedTest.class.getClassLoader());
                if (test.isAnnotationPresent(RunsWhenChanged.class) && !Modifier.isAbstract(test.getModifiers())) {
                    classes.add(test);
                }
            }
            return classes;
        }
    }
}
