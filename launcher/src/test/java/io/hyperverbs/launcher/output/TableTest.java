package io.hyperverbs.launcher.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    private final Table table = new Table("hv.test/1", "things", "NAME", "SIZE", "SHARE")
            .row("a", new Table.Shown("64MiB", 67108864L), 1.5)
            .row("long, \"name\"", null, 10.25);

    @Test
    void alignsColumns() {
        assertThat(table.render(Format.TABLE)).isEqualTo("""
            NAME          SIZE   SHARE
            a             64MiB   1.50
            long, "name"  -      10.25
            """);
    }

    @Test
    void jsonHasSchemaAndPlainValues() {
        assertThat(Json.line(Json.parse(table.render(Format.JSON))))
                .isEqualTo("{\"schema\":\"hv.test/1\",\"things\":["
                        + "{\"name\":\"a\",\"size\":67108864,\"share\":1.5},{\"name\":\"long,"
                        + " \\\"name\\\"\",\"size\":null,\"share\":10.25}]}");
    }

    @Test
    void jsonLinesAreObjectsEach() {
        assertThat(table.render(Format.JSONL).lines())
                .hasSize(2)
                .allMatch(line -> Json.parse(line).get("schema").asString().equals("hv.test/1"));
    }

    @Test
    void csvQuotesWhatItMust() {
        assertThat(table.render(Format.CSV))
                .isEqualTo("name,size,share\na,67108864,1.5\n\"long, \"\"name\"\"\",,10.25\n");
    }

    @Test
    void columnsFallAwayInTheirOrderAsFarAsTheyMust() {
        table.dropFirst("SHARE", "SIZE");

        assertThat(table.render(Format.TABLE, 26)).contains("SHARE").contains("SIZE");
        assertThat(table.leftOut(26)).isEmpty();
        assertThat(table.render(Format.TABLE, 25)).isEqualTo("""
            NAME          SIZE
            a             64MiB
            long, "name"  -
            """);
        assertThat(table.leftOut(25)).containsExactly("SHARE");
        assertThat(table.leftOut(10)).containsExactly("SIZE", "SHARE");
        assertThat(table.render(Format.CSV, 10)).contains("name,size,share");
    }

    @Test
    void wideTextIsFoldedBetweenWords() {
        Table wide = new Table("hv.test/1", "things", "CASE", "OBSERVED")
                .row("one", "the quick brown fox jumps over the lazy dog by the river bank")
                .row("two", "nothing");

        String shown = wide.render(Format.TABLE, 40);

        assertThat(shown).isEqualTo("""
            CASE  OBSERVED
            one   the quick brown fox jumps over the
                  lazy dog by the river bank
            two   nothing
            """);
    }

    @Test
    void noLineIsWiderThanTheTerminalWhileWordsFit() {
        Table wide = new Table("hv.test/1", "things", "A", "B", "C").dropFirst("A");
        for (int i = 0; i < 20; i++) {
            wide.row("word ".repeat(i).strip(), "other ".repeat(20 - i).strip(), "x y ".repeat(9));
        }
        for (int width = 68; width < 240; width++) {
            int limit = width;
            assertThat(wide.render(Format.TABLE, width).lines())
                    .allMatch(line -> line.length() <= limit)
                    .noneMatch(line -> line.matches(".*\\b(wor|othe)\\b.*"));
        }
    }

    @Test
    void cellsCannotCommandATerminalNorBreakTheirLine() {
        Table named = new Table("hv.test/1", "things", "NAME").row("a\u001b[2J\nb\u202ec");

        assertThat(named.render(Format.TABLE)).isEqualTo("NAME\na\\x1b[2J\\nb\\u202ec\n");
        assertThat(named.render(Format.JSONL))
                .contains("\\u202e")
                .doesNotContain("\u202e")
                .doesNotContain("\u001b");
        assertThat(Json.parse(named.render(Format.JSONL)).get("name").asString())
                .isEqualTo("a\u001b[2J\nb\u202ec");
        assertThat(named.render(Format.CSV)).contains("\u001b");
    }

    @Test
    void rowsHaveACellForEachColumn() {
        assertThatThrownBy(() -> table.row("a")).hasMessageContaining("1 cells for 3 columns");
    }
}
