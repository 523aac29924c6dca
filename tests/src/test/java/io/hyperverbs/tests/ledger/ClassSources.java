package io.hyperverbs.tests.ledger;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a {@link RunsWhenChanged} class depends on. Any thread. */
final class ClassSources {
    /** Modules that no other needs to work: what starts them are their own commands. */
    static final Set<String> BRANCHES =
            Set.of("lab/dsm", "lab/micro", "lab/mpi", "lab/nas", "libibverbs", "upper/dsm", "upper/ipoib", "upper/mpi");

    private static final String TESTS = "tests/src/test/java/";
    private static final String RESOURCES = "tests/src/test/resources";

    /** The ledger itself is in there, and the list that the proof of mutants alone reads. */
    private static final String PROOFS = RESOURCES + "/proofs";

    private static final int DEPTH_OF_MODULES = 2;

    /** Each with its digest; all classes are of the same state of the tree. */
    private static final Map<String, String> DIGESTS = new ConcurrentHashMap<>();

    /**
     * What the tree has, found once.
     *
     * @param modules folders with sources of the product
     * @param shared what is in the module of tests and no class of tests
     */
    private record Tree(List<String> modules, List<String> shared) {}

    private static @Nullable Tree known;

    private ClassSources() {}

    /** The file of a class. */
    static String file(Class<?> test) {
        return TESTS + test.getName().replace('.', '/') + ".java";
    }

    /** SHA-256 of all that it depends on, with their names. */
    static String digest(Class<?> test) throws IOException {
        MessageDigest digest = Sources.sha256();
        for (String source : sources(test)) {
            String one = DIGESTS.get(source);
            if (one == null) {
                one = Sources.digest(source);
                DIGESTS.put(source, one);
            }
            digest.update((source + " " + one + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Files and folders of the tree. */
    static List<String> sources(Class<?> test) throws IOException {
        List<String> sources = new ArrayList<>(List.of("hv", "pom.xml", "examples"));
        Set<String> own = Set.of(test.getAnnotation(RunsWhenChanged.class).value());
        for (String module : modules()) {
            if (!BRANCHES.contains(module) || own.contains(module)) {
                sources.add(module + "/pom.xml");
                sources.add(module + "/src/main");
            }
        }
        for (Class<?> one = test; one != Object.class; one = one.getSuperclass()) {
            sources.add(file(one));
        }
        sources.addAll(tree().shared());
        return sources;
    }

    static List<String> modules() throws IOException {
        return tree().modules();
    }

    private static synchronized Tree tree() throws IOException {
        Tree tree = known;
        if (tree == null) {
            tree = new Tree(findModules(), findShared());
            known = tree;
        }
        return tree;
    }

    private static List<String> findModules() throws IOException {
        Path root = Sources.file("");
        try (Stream<Path> folders = Files.walk(root, DEPTH_OF_MODULES)) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve("src/main")))
                    .map(folder -> root.relativize(folder).toString())
                    .sorted()
                    .toList();
        }
    }

    private static List<String> findShared() throws IOException {
        Path root = Sources.file("");
        List<String> found = new ArrayList<>();
        for (String folder : List.of(TESTS, RESOURCES)) {
            try (Stream<Path> below = Files.walk(Sources.file(folder))) {
                below.filter(Files::isRegularFile)
                        .map(file -> root.relativize(file).toString())
                        .filter(file -> !file.endsWith("Test.java") && !file.startsWith(PROOFS))
                        .sorted()
                        .forEach(found::add);
            }
        }
        return found;
    }
}
