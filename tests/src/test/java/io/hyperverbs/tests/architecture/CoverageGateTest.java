package io.hyperverbs.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The gate of branch coverage names classes that are there: a wrong name would gate nothing. */
class CoverageGateTest {
    private static final Pattern INCLUDE = Pattern.compile("<include>(io\\.hyperverbs[\\w.*]+)</include>");

    @Test
    void namesClassesAndPackagesThatExist() throws IOException {
        List<String> names = INCLUDE.matcher(Files.readString(Path.of("../pom.xml")))
                .results()
                .map(found -> found.group(1))
                .toList();
        JavaClasses ours = new ClassFileImporter().importPackages("io.hyperverbs");

        assertThat(names).hasSizeGreaterThan(20).doesNotHaveDuplicates();
        assertThat(names).allMatch(name -> ours.stream().anyMatch(of -> isNamed(of, name)));
    }

    private static boolean isNamed(JavaClass of, String name) {
        return name.endsWith(".*")
                ? of.getPackageName().equals(name.substring(0, name.length() - 2))
                : of.getName().equals(name) || of.getPackageName().equals(name);
    }
}
