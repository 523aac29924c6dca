package io.hyperverbs.toolstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.toolstack.cli.CliEnvironment;
import io.hyperverbs.toolstack.cli.Screen;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Command lines that start no machine. */
class HvTest {
    private static final String GOOD = "apiVersion: hv/v1\nname: good\nguests: { a: {}, b: {} }\n";
    private static final String BAD = "apiVersion: hv/v1\nname: bad\nguests: { a: { wieght: 1 } }\n";

    @TempDir
    Path folder;

    private Screen screen = Screen.none();
    private String out = "";
    private String err = "";

    private CliEnvironment environment(OutputStream out, OutputStream err) {
        return new CliEnvironment(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of("XDG_RUNTIME_DIR", folder.toString()),
                folder,
                screen);
    }

    private int hv(String... args) {
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        int exit = Hv.execute(environment(outBytes, errBytes), args);
        out = outBytes.toString(StandardCharsets.UTF_8);
        err = errBytes.toString(StandardCharsets.UTF_8);
        return exit;
    }

    private void file(String name, String text) throws Exception {
        Files.writeString(folder.resolve(name), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "upp | 2 | 'up'",
                "bnech | 2 | unknown command 'bnech'; did you mean 'bench'?",
                "ps surplus | 2 | unexpected argument 'surplus'",
                "bench --quik | 2 | --quick",
                "bench --rounds 0 | 2 | --rounds 0, must be at least 1",
                "bench -n 0 | 2 | -n 0, must be at least 1",
                "bench fairness --rounds 0 | 2 | --rounds 0, must be at least 1",
                "bench --out /dev/null/x | 1 | cannot write the report to /dev/null/x",
                "bench fairness --out /dev/null/x | 1 | cannot write the report to /dev/null/x",
                "up --topo pear | 4 | did you mean 'pair'?",
                "up --topo stra,n=3 | 4 | did you mean 'star'?",
                "up --wait=later | 2 | later",
                "bench --verb wrote | 2 | 'write'",
                "bench --path bypas | 2 | 'bypass'",
                "bench -s 7 | 2 | must be 8 to",
                "bench mpi -s 1048577 | 2 | -s 1048577, must be 0 to 1048576",
                "bench reg -s 4kb | 2 | -s 4kb, must be 1 to 67108864 bytes; as in 4096 or 64KiB",
                "bench mpi --ranks 9 | 2 | --ranks 9, must be 2 to 8",
                "bench mpi --nas A | 2 | --nas A, must be S or W",
                "bench mpi --rounds 0 | 2 | --rounds 0, must be at least 1",
                "bench lat | 2 | --verb",
                "bench lat --verb wirte | 2 | 'write'",
                "bench lat --verb send -q 2 | 2 | -q is not supported by lat; bw has it",
                "bench lat --verb send -t 2 | 2 | -t is not supported by lat; bw has it",
                "bench bw --verb write -e | 2 | -e is not supported with --verb write",
                "bench bw --verb atomic -s 8 | 2 | -s is not supported with --verb fetch-add",
                "bench bw --verb read -c UD | 2 | -c UD has no read",
                "bench bw --verb send -c XRC | 2 | -c XRC, must be one of RC, UC, UD",
                "bench bw --verb send -c UD -s 4KiB | 2 | -s 4096, must be 1 to 2048",
                "bench bw --verb send -s 4kb | 2 | -s 4kb, must be 1 to 8388608 bytes; as in 4096 or 64KiB",
                "bench bw --verb send -n 4 | 2 | -n 4, must be 5 to 1000000",
                "bench bw --verb send -t 4 -l 8 | 2 | -l 8 is more than -t 4",
                "bench bw --verb send -q 129 | 2 | -q 129, must be 1 to 128",
                "bench bw --verb send --path floor | 2 | --path floor, must be one of native",
                "bench lat --verb read --out_json_file=/nowhere/x | 1 | cannot write the rows to /nowhere/x",
                "bench --compare none.json | 2 | none.json is not there",
                "bench --with new.json | 2 | --with without --compare",
                "bench --threshold 5% | 2 | --threshold without --compare",
                "bench --compare none.json --threshold much | 2 | --threshold much, must be a percentage",
                "isolate --sandbox 2:bubblewrap | 2 | tier 2 has no maker 'bubblewrap', but bwrap and unshare",
                "isolate --sandbox 7 | 2 | no sandbox tier 7",
                "bench --rounds x | 2 | 'x' is not",
                "ps --format yaml | 2 | yaml",
                "ps --timeout soon | 2 | soon",
                "ps --timeout 3d | 2 | must be us, ms, s, m or h",
                "up --topo pair,n=5 | 2 | pair has two",
                "up --topo missing.hv.yaml | 4 | missing.hv.yaml",
                "up | 4 | no *.hv.yaml here",
                "up -d --topo pair --launcher kubernetes | 2 | hv export kubernetes",
                "export kubernetes | 2 | --image",
                "export kubernetes --image x --port 0 | 2 | --port 0, must be 1 to 65535",
                "export kubernetes --image x --namespace A | 2 | --namespace 'A' is no label of RFC 1123",
                "export kubernetes --image x -t pair | 2 | pair is on no hosts",
                "export kubernetes --image x -t none.hv.yaml | 4 | no topology file none.hv.yaml",
                "down | 4 | no topology is running",
                "down -t pair | 4 | topology pair is not running",
                "inspect | 4 | no topology is running",
                "logs a | 4 | no topology is running",
                "logs | 2 | DOM",
                "journal | 4 | no topology is running",
                "top -b | 4 | no topology is running",
                "trace a | 4 | no topology is running",
                "trace --verbs a | 4 | no topology is running",
                "trace -n 0 a | 2 | -n 0, must be at least 1",
                "trace -e post_send,pol_cq a | 2 | -e pol_cq, no such verb; did you mean 'poll_cq'?",
                "trace --format csv a | 2 | csv needs -c",
                "check | 2 | --conformance",
                "check --conformance --path bypas | 2 | 'bypass'",
                "check --conformance access.nothing | 2 | access.nothing",
                "check --conformance chanel | 2 | 'channel'",
                "devinfo | 4 | no topology is running",
                "devinfo -i x | 2 | 'x' is not",
                "rdma resource show | 4 | no topology is running",
                "rdma resource show qq | 2 | 'qp'",
                "rdma resource show qp lqpn | 2 | without a value",
                "rdma resourc show | 2 | 'resource'",
                "rdma statistic show links | 2 | 'link'",
                "rdma statistic show | 4 | no topology is running",
                "port 1 sideways | 2 | sideways",
                "port 1 up | 4 | no topology is running",
                "link | 4 | no topology is running",
                "link hv0-hv1 down | 4 | no topology is running",
                "link hv0-hv1 sideways | 2 | 'sideways' is no KEY=VALUE",
                "link hv0-hv1 loss=1 | 2 | loss: '1' is no number with %",
                "link hv0-hv1 los=1% | 2 | 'los' is none of down, loss",
                "link hv0-hv1 down loss=1% | 2 | down, up, none, or settings such as delay=10us loss=1%",
                "link hv0-hv1 queue=64KiB | 2 | queue needs a rate",
                "run --data-path fast x | 2 | must be bypass"
            })
    void mistakesAreOneLineWithTheirExitCode(String line, int exit, String part) {
        int found = hv(line.split(" "));

        assertThat(found).as(err).isEqualTo(exit);
        assertThat(out).isEmpty();
        assertThat(err).startsWith("hv: ").contains(part);
        assertThat(err.lines()).hasSize(1);
    }

    @Test
    void validateLooksAtEachFile() throws Exception {
        file("good.hv.yaml", GOOD);
        file("bad.hv.yaml", BAD);
        file("low.hv.yaml", "apiVersion: hv/v1\nname: low\nguests:\n  a:\n    weight: 0\n");

        int exit = hv("validate", "bad.hv.yaml", "good.hv.yaml", "missing.yaml", "low.hv.yaml");

        assertThat(exit).isEqualTo(3);
        assertThat(out).contains("good");
        assertThat(err.lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("hv: bad.hv.yaml:3: unknown key"),
                        line -> assertThat(line).contains("missing.yaml"),
                        line -> assertThat(line).isEqualTo("hv: low.hv.yaml:5: weight: 0, must be at least" + " 1"));
        assertThat(hv("validate", "missing.yaml", "absent.yaml")).isEqualTo(4);
        assertThat(err.lines()).hasSize(2);
    }

    @Test
    void validateNamesTheLineOfATab() throws Exception {
        file("tab.hv.yaml", "apiVersion: hv/v1\nname: tab\nguests:\n  a:\n\tmemory: 64MiB\n");

        assertThat(hv("validate", "tab.hv.yaml")).isEqualTo(3);
        assertThat(err).startsWith("hv: tab.hv.yaml:5: not YAML: ").contains("spaces");
    }

    @Test
    void helpOfRunNamesItsTimeLimits() {
        assertThat(hv("run", "--help")).isZero();
        assertThat(out.replaceAll("\\s+", " "))
                .contains("3 minutes to start", "--timeout TIME before PROGRAM")
                .contains("a number alone is seconds");
    }

    @Test
    void objectsSayWhenAndByWhichCommandLine() throws Exception {
        file("good.hv.yaml", GOOD);

        assertThat(hv("validate", "good.hv.yaml", "--format", "json")).isZero();

        JsonNode object = Json.parse(out);
        assertThat(object.propertyNames().stream().limit(3)).containsExactly("schema", "date", "command");
        assertThat(object.get("command").asString()).isEqualTo("hv validate good.hv.yaml --format json");
        assertThat(java.time.Instant.parse(object.get("date").asString())).isNotNull();
    }

    /** Examples stand in the footer of a command's help. */
    @Test
    void eachExampleOfTheHelpCanBeParsed() {
        CliEnvironment nowhere = environment(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
        List<String> examples = Hv.line(nowhere).getSubcommands().values().stream()
                .distinct()
                .flatMap(command ->
                        Stream.of(command.getCommandSpec().usageMessage().footer()))
                .map(String::strip)
                .filter(line -> line.startsWith("hv "))
                .map(line -> line.replaceFirst(" {2,}.*| > .*| \\| .*", ""))
                .flatMap(line -> Stream.of(line.split(" && ", -1)))
                .toList();

        assertThat(examples).hasSizeGreaterThan(20);
        assertThat(examples)
                .allSatisfy(example ->
                        Hv.line(nowhere).parseArgs(example.substring(3).split(" ", -1)));
    }

    @Test
    void jsonModeGivesErrorsAsObjects() throws Exception {
        file("bad.hv.yaml", BAD);

        int exit = hv("validate", "--format", "json");

        assertThat(exit).isEqualTo(3);
        JsonNode error = Json.parse(err).get("error");
        assertThat(error.get("code").asString()).isEqualTo("invalid-topology");
        assertThat(error.get("exit").asInt()).isEqualTo(3);
        assertThat(error.get("file").asString()).isEqualTo("bad.hv.yaml");
        assertThat(error.get("line").asInt()).isEqualTo(3);
        assertThat(error.get("path").asString()).isEqualTo("guests.a.wieght");
        assertThat(error.get("message").asString()).contains("unknown key");
        assertThat(error.get("hint").asString()).contains("weight");
    }

    @Test
    void usageErrorsAreObjectsInJsonModeToo() {
        assertThat(hv("ps", "--nonsense", "--format=json")).isEqualTo(2);
        assertThat(Json.parse(err).get("error").get("exit").asInt()).isEqualTo(2);
    }

    @Test
    void validateTakesTheOnlyFileHere() throws Exception {
        file("good.hv.yaml", GOOD);

        assertThat(hv("validate")).isZero();
        assertThat(out.lines()).hasSize(3);
        assertThat(out).contains("good", "64MiB", "bypass");
        assertThat(err).isEmpty();
    }

    @Test
    void severalFilesHereHaveToBeNamed() throws Exception {
        file("good.hv.yaml", GOOD);
        file("bad.hv.yaml", BAD);

        assertThat(hv("validate")).isEqualTo(2);
        assertThat(err).contains("bad.hv.yaml, good.hv.yaml");
        assertThat(hv("-t", "good.hv.yaml", "validate")).isZero();
        assertThat(hv("validate", "good.hv.yaml")).isZero();
        assertThat(hv("validate", "bad.hv.yaml")).isEqualTo(3);
        assertThat(err).isEqualTo("hv: bad.hv.yaml:3: unknown key 'wieght'; did you mean 'weight'?\n");
    }

    @Test
    void notesAreDroppedWhenQuiet() throws Exception {
        file("n.hv.yaml", GOOD + "checks: [{ name: x, bench: {} }]\n");

        assertThat(hv("validate")).isZero();
        assertThat(err).contains("n.hv.yaml:4: checks");
        assertThat(hv("-q", "validate")).isZero();
        assertThat(err).isEmpty();
    }

    @Test
    void badTopologyStartsNothing() throws Exception {
        file("bad.hv.yaml", BAD);

        assertThat(hv("up", "-d")).isEqualTo(3);
        assertThat(folder.toFile().list()).containsExactly("bad.hv.yaml");
    }

    @Test
    void schemaIsPrintedWhole() {
        assertThat(hv("schema")).isZero();
        assertThat(Json.parse(out).get("$id").asString()).contains("topology");
    }

    @Test
    void psWithNothingRunningIsAnEmptyList() {
        assertThat(hv("ps", "--format", "json")).isZero();
        assertThat(Json.parse(out).get("schema").asString()).isEqualTo("hv.ps/1");
        assertThat(Json.parse(out).get("domains")).isEmpty();
        assertThat(hv("list", "--format", "csv")).isZero();
        assertThat(out).startsWith("topology,name,id,kind,pid,mem,state,qp,cq,mr,registered,weight,rate,msg_rate,up");
        assertThat(hv("down", "--all")).isZero();
    }

    @Test
    void cleanRemovesDeadOnesOnly() throws Exception {
        Path root = folder.resolve("hyperverbs-" + System.getProperty("user.name"));
        ProcessHandle self = ProcessHandle.current();
        Files.createDirectories(root.resolve("live/logs"));
        Files.writeString(
                root.resolve("live/vmm.pid"),
                self.pid() + " " + self.info().startInstant().orElseThrow().toEpochMilli());
        Files.createDirectories(root.resolve("dead/domains/a"));
        Files.writeString(root.resolve("dead/vmm.pid"), self.pid() + " 12345");
        Files.createDirectories(root.resolve("foreign"));
        Path killed = Files.createTempDirectory("hv-work-");
        Files.createFile(killed.resolve("lock"));

        assertThat(hv("clean", "--dry-run")).isZero();
        assertThat(out)
                .contains("would remove", root.resolve("dead").toString(), killed.toString())
                .doesNotContain("live");
        assertThat(root.resolve("dead")).exists();
        assertThat(killed).exists();
        assertThat(hv("clean")).isZero();

        assertThat(root.resolve("dead")).doesNotExist();
        assertThat(killed).doesNotExist();
        assertThat(root.resolve("live")).exists();
        assertThat(root.resolve("foreign")).exists();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bench",
                "up",
                "down",
                "clean",
                "ps",
                "inspect",
                "logs",
                "link",
                "run",
                "top",
                "trace",
                "journal",
                "validate",
                "schema",
                "doctor",
                "completion"
            })
    void everyCommandExplainsItselfWithExamples(String command) {
        assertThat(hv(command, "--help")).isZero();
        assertThat(out).contains("usage: hv " + command).contains("examples:").contains("--format");
        assertThat(out).contains("hv " + command);
    }

    @Test
    void helpListsTheExitCodes() {
        assertThat(hv("--help")).isZero();
        assertThat(out).contains("exit codes:").contains("topology invalid");
        assertThat(hv()).isEqualTo(2);
    }

    @Test
    void completionNamesTheCommands() {
        assertThat(hv("completion")).isZero();
        assertThat(out).contains("complete -F").contains("bench").contains("inspect");
    }
}
