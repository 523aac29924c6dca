package io.hyperverbs.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents name what is there: links, decisions of one shape, an index of all, classes and files to begin at. */
class DocumentsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(?:#[^)]*)?\\)");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][\\w./-]*");
    private static final int LONGEST_RELEASE = 25;

    @Test
    void linksLeadToFiles() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            LINK.matcher(Files.readString(document))
                    .results()
                    .map(link -> link.group(1))
                    .filter(link -> !Files.exists(document.resolveSibling(link)))
                    .forEach(link -> broken.add(document + ": " + link));
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void everyDocumentIsInTheIndex() throws IOException {
        Path docs = ROOT.resolve("docs");
        Path index = docs.resolve("README.md");
        Set<Path> listed = LINK.matcher(Files.readString(index))
                .results()
                .map(link -> docs.resolve(link.group(1)).normalize())
                .collect(Collectors.toSet());

        List<Path> all = documents().stream()
                .map(Path::normalize)
                .filter(path -> path.startsWith(docs.normalize()) && !path.equals(index.normalize()))
                .toList();
        assertThat(all).hasSizeGreaterThan(40).allMatch(listed::contains);
    }

    @Test
    void decisionsHaveOneShape() throws IOException {
        for (Path decision : documents()) {
            if (decision.getParent().endsWith("adr")) {
                List<String> sections = Files.readAllLines(decision).stream()
                        .filter(line -> line.startsWith("## "))
                        .toList();
                assertThat(sections).as("%s", decision).containsExactly("## Context", "## Decision", "## Consequences");
            }
        }
    }

    @Test
    void changelogStaysShort() throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve("CHANGELOG.md"));
        int release = -1;
        for (String line : lines) {
            release = line.startsWith("## ") ? 0 : release < 0 ? -1 : release + 1;
            assertThat(release).as(line).isLessThan(LONGEST_RELEASE);
        }
    }

    @Test
    void contributorsFindWhatTheTableNames() throws IOException {
        Set<String> known;
        try (Stream<Path> files = Files.walk(ROOT)) {
            known = files.map(path -> ROOT.relativize(path).toString())
                    .filter(path -> !path.contains("target/") && !path.startsWith("."))
                    .flatMap(path -> names(path).stream())
                    .collect(Collectors.toSet());
        }
        List<String> missing = new ArrayList<>();
        int rows = 0;
        for (String line : section(Files.readString(ROOT.resolve("CONTRIBUTING.md")), "## Where to add what")) {
            rows += line.startsWith("| ") ? 1 : 0;
            QUOTED.matcher(line)
                    .results()
                    .map(name -> name.group(1))
                    .filter(name -> NAME.matcher(name).matches() && isOfTheTree(name))
                    .filter(name -> !known.contains(name) && !known.contains(name.replaceFirst("\\..*", "")))
                    .forEach(missing::add);
        }

        assertThat(missing).isEmpty();
        assertThat(rows).isGreaterThan(10);
    }

    /** A class or constant begins with a capital; a file or folder has a dot or a stroke, or is a module. */
    private static boolean isOfTheTree(String name) {
        boolean isClass = Character.isUpperCase(name.charAt(0)) && !name.equals(name.toUpperCase(Locale.ROOT));
        return isClass || name.contains("/") || name.endsWith(".yaml") || name.endsWith(".json");
    }

    /** Its path, its file's name, and that without {@code .java}. */
    private static List<String> names(String path) {
        String file = path.substring(path.lastIndexOf('/') + 1);
        return List.of(path, file, file.replaceFirst("\\.java$", ""));
    }

    private static List<String> section(String text, String heading) {
        int begin = text.indexOf(heading);
        int end = text.indexOf("\n## ", begin + heading.length());
        return text.substring(begin, end < 0 ? text.length() : end).lines().toList();
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (String place : List.of("docs", "examples")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(place))) {
                files.filter(path -> path.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        for (String name : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ARCHITECTURE.md")) {
            documents.add(ROOT.resolve(name));
        }
        return documents;
    }
}
