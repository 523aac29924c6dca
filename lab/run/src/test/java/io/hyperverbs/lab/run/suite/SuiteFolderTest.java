package io.hyperverbs.lab.run.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.run.report.Origin;
import io.hyperverbs.launcher.output.Json;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;

class SuiteFolderTest {
    private static final Origin ORIGIN =
            new Origin(ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.UTC), "hv bench suite --out a<b");

    @TempDir
    private Path folder;

    private final SuiteResult result = MadeFigure.result(MadeFigure.latency(1.02), MadeFigure.sampled());

    @BeforeEach
    void write() throws Exception {
        assertThat(SuiteFolder.write(folder, result, ORIGIN)).isEqualTo(folder.resolve("suite.html"));
    }

    @Test
    void hasARowForEachCellAndSeries() throws Exception {
        List<String> lines = Files.readAllLines(folder.resolve("latency.csv"));

        assertThat(lines).hasSize(1 + 2 * 3);
        assertThat(lines.getFirst()).startsWith("figure,what,x,series,unit,value,spread,p99");
        assertThat(lines)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("latency,write,64,bypass,μs,1.04")
                        .endsWith("native,1.02,0.0,result"));
    }

    @Test
    void hasHistogramsOfWhatHasSamples() throws Exception {
        assertThat(folder.resolve("registration-reg_mr-4096-native.hgrm")).exists();
        assertThat(Files.readString(folder.resolve("registration-reg_mr-4096-bypass.hgrm")))
                .contains("Total count    =            5");
        assertThat(folder.resolve("latency-write-64-native.hgrm")).doesNotExist();
    }

    @Test
    void hasOneObject() throws Exception {
        JsonNode suite = Json.parse(Files.readString(folder.resolve("suite.json")));

        assertThat(suite.get("schema").asString()).isEqualTo("hv.suite/1");
        assertThat(suite.get("date").asString()).startsWith("2026-01-02T03:04:05");
        assertThat(suite.get("figures")).hasSize(2);
        assertThat(suite.get("figures").get(0).get("by_round").get(0).get("values"))
                .hasSize(5);
        assertThat(suite.get("claims")).hasSize(Claims.ALL.size());
        assertThat(suite.get("claims").get(0).get("outcome").asString()).isEqualTo("held");
        assertThat(suite.get("answer").asString()).contains("1.02 ± 0.00 times a native one", "40.00");
    }

    @Test
    void thePageFetchesNothingAndHasBothColourSchemes() throws Exception {
        String page = Files.readString(folder.resolve("suite.html"));

        assertThat(page).doesNotContainPattern("(?i)https?:|<script|<link|src=|url\\(|@import");
        assertThat(page).contains("prefers-color-scheme:dark", "name=\"viewport\"", "Title of latency", "a&lt;b");
        assertThat(page).contains("class=\"text held\"").doesNotContain("NaN", "Infinity", "<§6>");
        assertThat(page.indexOf("A guest's 64-byte write takes")).isLessThan(page.indexOf("<svg"));
    }

    @Test
    void picturesAreWellFormedAndStayInside() throws Exception {
        String page = Files.readString(folder.resolve("suite.html"));
        List<String> pictures = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(match -> match.group())
                .toList();

        // Three of the headline, values and ratios of each figure.
        assertThat(pictures).hasSize(3 + 2 + 2);
        for (String picture : pictures) {
            var document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(picture)));
            var circles = document.getElementsByTagName("circle");
            assertThat(circles.getLength()).isPositive();
            for (int i = 0; i < circles.getLength(); i++) {
                var attributes = circles.item(i).getAttributes();
                assertThat(Double.parseDouble(attributes.getNamedItem("cx").getNodeValue()))
                        .isBetween(0.0, 460.0);
                assertThat(Double.parseDouble(attributes.getNamedItem("cy").getNodeValue()))
                        .isBetween(0.0, 280.0);
            }
        }
    }

    @Test
    void claimsThatWereNotMeasuredStayAsTheyWere() {
        String kernel =
                "| NAS EP takes native time in guests | there | of it | 1 | 1.01 | 2 | **held** | nas | 2025-12-24 |";
        String write =
                "| A guest's RDMA write takes as long as a native one | there | of it | 1 | 9 | 2 | **not held** | - |"
                        + " - |";

        String page = ClaimsPage.of(result, ORIGIN, "# Claims\n" + write + "\n" + kernel + "\n");

        assertThat(page)
                .contains(kernel)
                .doesNotContain(write)
                .contains("Of " + Claims.ALL.size() + " claims of the papers, 3 held, 1 did not");
    }

    @Test
    void theClaimsAreOneTable() {
        String page = ClaimsPage.of(result, ORIGIN, "");

        assertThat(page)
                .contains(
                        "**held**",
                        "no result: not measured",
                        "The last run was on 2026-01-02, `hv bench suite",
                        "| 2026-01-02 |",
                        "`--quick`",
                        "1.02 ± 0.00");
        assertThat(page.lines().filter(line -> line.startsWith("| "))).hasSize(1 + Claims.ALL.size());
        assertThat(page.lines().filter(line -> line.startsWith("| ")))
                .allSatisfy(
                        line -> assertThat(line.chars().filter(c -> c == '|')).hasSize(10));
    }
}
