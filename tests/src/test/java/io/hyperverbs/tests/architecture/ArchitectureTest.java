package io.hyperverbs.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every symbol that ARCHITECTURE.md names exists, and it names every package. */
class ArchitectureTest {
    private static final Path DOCUMENT = Path.of("../ARCHITECTURE.md");
    private static final Pattern SYMBOL = Pattern.compile("`([A-Z][A-Za-z]+)(?:\\.([A-Za-z_]+))?`");

    /** A row of the list of packages. */
    private static final Pattern PACKAGE = Pattern.compile("^\\| `([a-z.]+)` \\| .+ \\|$", Pattern.MULTILINE);

    @Test
    void namesOnlyWhatExists() throws Exception {
        Map<String, Set<String>> members = members();
        List<String> missing = new ArrayList<>();
        int symbols = 0;

        Matcher matcher = SYMBOL.matcher(Files.readString(DOCUMENT));
        while (matcher.find()) {
            symbols++;
            Set<String> known = members.get(matcher.group(1));
            if (known == null || (matcher.group(2) != null && !known.contains(matcher.group(2)))) {
                missing.add(matcher.group());
            }
        }

        assertThat(missing).isEmpty();
        assertThat(symbols).isGreaterThan(80);
    }

    @Test
    void listsEveryPackage() throws Exception {
        Set<String> packages = new TreeSet<>();
        new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.hyperverbs")
                .forEach(type -> packages.add(type.getPackageName().substring("io.hyperverbs.".length())));

        List<String> listed = PACKAGE.matcher(Files.readString(DOCUMENT))
                .results()
                .map(row -> row.group(1))
                .toList();

        assertThat(listed).containsExactlyInAnyOrderElementsOf(packages);
    }

    private static Map<String, Set<String>> members() {
        Map<String, Set<String>> members = new HashMap<>();
        for (JavaClass type : new ClassFileImporter().importPackages("io.hyperverbs")) {
            Set<String> names = members.computeIfAbsent(type.getSimpleName(), any -> new HashSet<>());
            type.getMethods().forEach(method -> names.add(method.getName()));
            type.getFields().forEach(field -> names.add(field.getName()));
            type.getEnclosingClass()
                    .ifPresent(outer -> members.computeIfAbsent(outer.getSimpleName(), any -> new HashSet<>())
                            .add(type.getSimpleName()));
        }
        return members;
    }
}
