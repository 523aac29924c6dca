package io.hyperverbs.lab.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JavaCodeTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        int a; // more        | int a;
        int a; /* more */     | int a;
        /** Doc. */ int a;    | int a;
        int   a  ;            | int a ;
        int/**/a;             | int a;
        a = 1 / 2;            | a = 1 / 2;
        """)
    void leavesOutCommentsAndBlanks(String source, String code) {
        assertThat(JavaCode.of(source).strip()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        a("//  /* x */")
        a("\\\\"); b("  ")
        a("\\"//")
        a('"', "//")
        a('\\'', "//")
        a(\"""  "  // \\\"""  b \""")
        """)
    void keepsLiterals(String source) {
        assertThat(JavaCode.of(source)).isEqualTo(source);
    }

    @Test
    void endsWhereTheSourceEnds() {
        for (String source : new String[] {"", "/* a", "// a", "\"a", "'\\", "\"\"\"a"}) {
            assertThat(source).startsWith(JavaCode.of(source).strip());
        }
    }

    @Test
    void aDigestOfSourcesIsThatOfTheirCode(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("A.java");
        Files.writeString(file, "class A {}");
        String digest = Sources.digest(folder.toString());

        Files.writeString(file, "/** Another. */\nclass A {}");
        assertThat(Sources.digest(folder.toString())).isEqualTo(digest);
        Files.writeString(file, "class A { }");
        assertThat(Sources.digest(folder.toString())).isNotEqualTo(digest);
        Files.move(file, folder.resolve("A.txt"));
        String text = Sources.digest(folder.toString());
        Files.writeString(folder.resolve("A.txt"), "// Another.\nclass A { }");
        assertThat(Sources.digest(folder.toString())).isNotEqualTo(text);
    }

    /** A quote that is taken for another ends a file early or late. */
    @Test
    void readsThisTree() throws IOException {
        try (Stream<Path> below = Files.walk(Sources.file("tests/src/test/java"))) {
            for (Path file :
                    below.filter(one -> one.toString().endsWith(".java")).toList()) {
                String source = Files.readString(file, StandardCharsets.UTF_8);
                String code = JavaCode.of(source);

                assertThat(JavaCode.of(code)).as("%s", file).isEqualTo(code);
                assertThat(code).as("%s", file).contains("package io.hyperverbs");
                assertThat(code.strip()).as("%s", file).endsWith(file.endsWith("package-info.java") ? ";" : "}");
            }
        }
    }
}
