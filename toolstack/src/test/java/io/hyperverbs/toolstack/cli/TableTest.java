package io.hyperverbs.toolstack.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    private final Table table =
            new Table("hv.test/1", "things", "NAME", "SIZE", "SHARE")
                    .row("a", new Table.Shown("64MiB", 67108864L), 1.5)
                    .row("long, \"name\"", null, 10.25);

    @Test
    void alignsColumns() {
        assertThat(table.render(Format.TABLE))
                .isEqualTo(
                        """
                        NAME          SIZE   SHARE
                        a             64MiB   1.50
                        long, "name"  -      10.25
                        """);
    }

    @Test
    void jsonHasSchemaAndPlainValues() {
        assertThat(Json.line(Json.parse(table.render(Format.JSON))))
                .isEqualTo(
                        "{\"schema\":\"hv.test/1\",\"things\":["
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
    void rowsHaveACellForEachColumn() {
        assertThatThrownBy(() -> table.row("a")).hasMessageContaining("1 cells for 3 columns");
    }
}
