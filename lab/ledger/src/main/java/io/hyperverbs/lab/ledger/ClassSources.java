package io.hyperverbs.lab.ledger;

import java.io.IOException;
import java.net.URISyntaxException;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a {@link RunsWhenChanged} class depends on. Any thread. */
public final class ClassSources {
    /** Modules that no other needs to work: what starts them are their own commands. */
    public static final Set<String> BRANCHES =
            Set.of("lab/dsm", "lab/micro", "lab/mpi", "lab/nas", "libibverbs", "upper/dsm", "upper/ipoib", "upper/mpi");

    /** The module whose tests start what users start. */
    private static final String WHOLE = "tests";

    private static final String CODE = "/src/test/java";
    private static final String RESOURCES = "/src/test/resources";
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    /** Each with its digest; all classes are of the same state of the tree. */
    private static final Map<String, String> DIGESTS = new ConcurrentHashMap<>();

    /** By module: what its tests share. */
    private static final Map<String, List<String>> SHARED = new ConcurrentHashMap<>();

    private ClassSources() {}

    /** Folder of the module of a class of tests, as in {@code lab/run}. */
    static String module(Class<?> test) {
        try {
            Path classes = Path.of(
                    test.getProtectionDomain().getCodeSource().getLocation().toURI());
            return Sources.file("")
                    .relativize(classes.resolve("../..").normalize())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("classes of tests are in a folder", e);
        }
    }

    /** The file of a class. */
    public static String file(Class<?> test) {
        return module(test) + CODE + "/" + test.getName().replace('.', '/') + ".java";
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
    public static List<String> sources(Class<?> test) throws IOException {
        String module = module(test);
        List<String> sources = new ArrayList<>(List.of("pom.xml", module + "/pom.xml"));
        if (module.equals(WHOLE)) {
            sources.addAll(List.of("hv", "examples"));
        }
        Set<String> named = Set.of(test.getAnnotation(RunsWhenChanged.class).value());
        for (String one : upTo(module)) {
            if (!BRANCHES.contains(one) || named.contains(one) || one.equals(module)) {
                sources.add(one + "/pom.xml");
                sources.add(one + "/src/main");
            }
        }
        for (Class<?> one = test; one != Object.class; one = one.getSuperclass()) {
            sources.add(file(one));
        }
        sources.addAll(shared(module));
        return sources.stream().distinct().toList();
    }

    /** Modules with sources of the product, in the order of the root's pom.xml. */
    public static List<String> modules() throws IOException {
        return MODULE.matcher(Files.readString(Sources.file("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .filter(module -> Files.isDirectory(Sources.file(module + "/src/main")))
                .toList();
    }

    /** A module needs none that stands behind it, which {@code RunsWhenChangedTest} checks. */
    private static List<String> upTo(String module) throws IOException {
        List<String> modules = modules();
        return modules.contains(module) ? modules.subList(0, modules.indexOf(module) + 1) : modules;
    }

    /** What is in the tests of a module and no class of tests, nor a ledger or a list that one proof alone reads. */
    private static List<String> shared(String module) throws IOException {
        List<String> shared = SHARED.get(module);
        if (shared == null) {
            shared = findShared(module);
            SHARED.put(module, shared);
        }
        return shared;
    }

    private static List<String> findShared(String module) throws IOException {
        Path root = Sources.file("");
        List<String> found = new ArrayList<>();
        for (String folder : List.of(module + CODE, module + RESOURCES)) {
            if (!Files.isDirectory(Sources.file(folder))) {
                continue;
            }
            try (Stream<Path> below = Files.walk(Sources.file(folder))) {
                below.filter(Files::isRegularFile)
                        .map(file -> root.relativize(file).toString())
                        .filter(file -> !file.endsWith("Test.java") && !file.startsWith(module + Ledger.FOLDER))
                        .sorted()
                        .forEach(found::add);
            }
        }
        return found;
    }
}
