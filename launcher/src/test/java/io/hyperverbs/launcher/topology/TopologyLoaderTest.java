package io.hyperverbs.launcher.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.vmm.cores.CorePlacement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyLoaderTest {
    static final String HEAD = "apiVersion: hv/v1\nname: t\n";

    static Topology parse(String text) throws HvException {
        return TopologyLoader.parse("t.hv.yaml", text, new ExamplePrograms());
    }

    static HvException failure(String text) {
        return catchThrowableOfType(HvException.class, () -> parse(text));
    }

    @Test
    void readsEveryKey() throws HvException {
        Topology topology = parse("""
            apiVersion: hv/v1
            name: pair
            defaults: { guest: { memory: 32MiB, wait: hybrid, quota: { qp: 7, cq: 8 } } }
            hca: { name: hv1, core: shared, mtu: 4096, ports: 1, pkeys: [0xffff, '0x8002'],
                   limits: { max-qp: 1000, max-cq: 900, max-mr: 8000 } }
            guests:
              a: { quota: { qp: 64, registered: 1.5MiB }, weight: 3, trace: true,
                   path: forwarded, app: { main: pingpong, args: [-s, 64, b] } }
              b: { native: true, memory: 1GiB }
              c:
            """);

        assertThat(topology.name()).isEqualTo("pair");
        assertThat(topology.hca())
                .isEqualTo(new HcaSpec(
                        "hv1",
                        CorePlacement.SHARED,
                        new PortSettings(1, 1, 4096, List.of(0xffff, 0x8002)),
                        List.of(),
                        new HcaSpec.Limits(1000, 900, 8000, 4096),
                        true));
        assertThat(topology.guests()).extracting(Guest::name).containsExactly("a", "b", "c");
        Guest a = topology.guests().getFirst();
        assertThat(a.memoryBytes()).isEqualTo(32L << 20);
        assertThat(a.quota()).isEqualTo(Map.of("qp", 64L, "cq", 8L, "registered", 3L << 19));
        assertThat(a.weight()).isEqualTo(3);
        assertThat(a.trace()).isTrue();
        assertThat(a.path()).isEqualTo("forwarded");
        assertThat(a.app()).contains(new Guest.App("pingpong", List.of("-s", "64", "b")));
        assertThat(topology.guests().get(1).nativeDomain()).isTrue();
        assertThat(topology.guests().get(1).memoryBytes()).isEqualTo(1L << 30);
        assertThat(topology.guests().get(2).quota()).isEqualTo(Map.of("qp", 7L, "cq", 8L));
        assertThat(topology.warnings()).isEmpty();
    }

    @Test
    void numberOfGuestsNamesThem() throws HvException {
        Topology topology = parse(HEAD + "guests: 8\ndefaults: { guest: { memory: 16MiB } }\n");

        assertThat(topology.guests())
                .extracting(Guest::name)
                .containsExactly("g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8");
        assertThat(topology.guests()).allMatch(guest -> guest.memoryBytes() == 16L << 20);
    }

    @Test
    void settingsCarryWhatTheBackendReads() throws HvException {
        Guest guest = parse(HEAD + "guests: { a: { quota: { registered: 2KiB, qp: 5 }, weight: 9 } }\n")
                .guests()
                .getFirst();

        assertThat(guest.settings())
                .containsEntry("quota.registered", "2048")
                .containsEntry("quota.qp", "5")
                .containsEntry("weight", "9")
                .containsEntry("path", "bypass");
    }

    @Test
    void settingsCarryAllPathsAndQuotasOfWhatIsSpentForTheGuest() throws HvException {
        Guest guest = parse(HEAD
                        + "guests: { a: { path: forwarded, more-paths: [bypass,"
                        + " forwarded], quota: { backing: 8MiB, pump: 1, group: 0,"
                        + " journal: 1MiB } } }\n")
                .guests()
                .getFirst();

        assertThat(guest.settings())
                .containsEntry("path", "forwarded,bypass")
                .containsEntry("quota.backing", Long.toString(8 << 20))
                .containsEntry("quota.pump", "1")
                .containsEntry("quota.group", "0")
                .containsEntry("quota.journal", Long.toString(1 << 20));
    }

    @Test
    void settingsCarryTheRate() throws HvException {
        Topology topology = parse(HEAD
                + "defaults: { guest: { rate: { bytes: 100MiB } } }\n"
                + "guests: { a: {}, b: { rate: { messages: 50000 } } }\n");

        assertThat(topology.guests().getFirst().settings())
                .containsEntry("rate.bytes", Long.toString(100 << 20))
                .doesNotContainKey("rate.messages");
        assertThat(topology.guests().get(1).settings())
                .containsEntry("rate.messages", "50000")
                .doesNotContainKey("rate.bytes");
    }

    @Test
    void warnsOfWhatHasNoEffectYet() throws HvException {
        Topology topology = parse(HEAD + "guests: { a: {} }\nchecks:\n  - { name: x }\n");

        assertThat(topology.warnings()).singleElement().asString().startsWith("t.hv.yaml:5: checks");
    }

    @Test
    void eventsArePostedUnlessTheFileSaysForwarded() throws HvException {
        Topology topology = parse(HEAD + "guests: { a: {}, b: { events: forwarded }, c: { events: posted } }\n");

        assertThat(topology.guests())
                .extracting(guest -> guest.settings().get("events"))
                .containsExactly("posted", "forwarded", "posted");
    }

    static Stream<Arguments> badFiles() {
        return Stream.of(
                bad("", 1, "", "empty", "hv schema"),
                bad("guests: [", 1, "", "not YAML", ""),
                bad(HEAD + "guests: { a: {} }\n---\nname: u\n", 5, "", "second document", ""),
                bad("name: t\nguests: 1\n", 1, "", "'apiVersion' is missing", ""),
                bad("apiVersion: hv/v2\nname: t\nguests: 1\n", 1, "apiVersion", "must be hv/v1", ""),
                bad(HEAD, 1, "", "'guests' is missing", ""),
                bad(HEAD + "guests: {}\n", 3, "guests", "no guest", ""),
                bad(HEAD + "guests: 0\n", 3, "guests", "at least 1", ""),
                bad(HEAD + "guests: 4e4096\n", 3, "guests", "4e4096 is out of range", ""),
                bad(HEAD + "guests: .nan\n", 3, "guests", ".nan is not a number", ""),
                bad(HEAD + "guests: 257\n", 3, "guests", "at most 256", ""),
                bad(HEAD + "guests: yes please\n", 3, "guests", "is not a mapping or an integer", ""),
                bad(HEAD + "guests: 1\nguest: 2\n", 4, "guest", "unknown key", "'guests'?"),
                bad(
                        HEAD + "guests:\n  a:\n    memroy: 64MiB\n",
                        5,
                        "guests.a.memroy",
                        "unknown key 'memroy'",
                        "did you mean 'memory'?"),
                bad(
                        HEAD + "guests: { a: { quota: { xyzzy: 1 } } }\n",
                        3,
                        "guests.a.quota.xyzzy",
                        "unknown key",
                        "known: qp, cq"),
                bad(
                        HEAD + "guests:\n  a: { memory: 64MB }\n",
                        4,
                        "guests.a.memory",
                        "unit 'MB'",
                        "did you mean '64MiB'?"),
                bad(HEAD + "guests: { a: { memory: lots } }\n", 3, "guests.a.memory", "lots", "64MiB"),
                bad(HEAD + "guests: { a: { memory: 1KiB } }\n", 3, "guests.a.memory", "1MiB to", ""),
                bad(
                        HEAD + "defaults:\n  guest: { memory: 1B }\nguests: 2\n",
                        4,
                        "defaults.guest.memory",
                        "must be 1MiB",
                        ""),
                bad(HEAD + "guests: { a: { memory: 0.3B } }\n", 3, "guests.a", "not whole", ""),
                bad(HEAD + "guests: { a: { weight: 0 } }\n", 3, "guests.a.weight", "at least 1", ""),
                bad(HEAD + "guests: { a: { weight: x } }\n", 3, "guests.a.weight", "an integer", ""),
                bad(
                        HEAD + "guests: { a: { rate: { byte: 1MiB } } }\n",
                        3,
                        "guests.a.rate.byte",
                        "unknown key",
                        "did you mean 'bytes'?"),
                bad(HEAD + "guests:\n  a:\n    rate: { messages: 0 }\n", 5, "guests.a.rate.messages", "at least 1", ""),
                bad(
                        HEAD + "guests:\n  a: { rate: { bytes: 0 } }\n",
                        4,
                        "guests.a.rate.bytes",
                        "rate of no bytes",
                        "leave it out"),
                bad(
                        HEAD + "guests: { a: { path: forwarded-unray } }\n",
                        3,
                        "guests.a.path",
                        "must be one of",
                        "'forwarded-unary'?"),
                bad(HEAD + "guests: { a: { app: {} } }\n", 3, "guests.a.app", "no main and no exec", "exec: ["),
                bad(HEAD + "guests: { tool: {} }\n", 3, "guests.tool", "machine's own", ""),
                bad(HEAD + "guests: { backend: {} }\n", 3, "guests.backend", "machine's own", ""),
                bad(HEAD + "guests:\n  a: {}\n  Big: {}\n", 5, "guests.Big", "not allowed", "a-z"),
                bad("apiVersion: hv/v1\nname: ../x\nguests: 1\n", 2, "name", "not allowed", "a-z"),
                bad("apiVersion: hv/v1\nname: vmm\nguests: 1\n", 2, "name", "machine's own", ""),
                bad(HEAD + "guests:\n  a: {}\n  a: {}\n", 5, "guests.a", "twice", "remove"),
                bad(HEAD + "hca: { mtu: 1500 }\nguests: 1\n", 3, "hca.mtu", "one of 256", ""),
                bad(
                        HEAD
                                + "hca: { limits: { max-qp: 10 } }\n"
                                + "guests:\n"
                                + "  a: { quota: { qp: 4 } }\n"
                                + "  b: { quota: { qp: 7 } }\n",
                        6,
                        "guests.b.quota.qp",
                        "11 (a: 4, b: 7); the HCA has 10",
                        "raise hca.limits.max-qp"),
                bad(HEAD + "hca: { ports: 3 }\nguests: 2\n", 3, "hca.ports", "3, must be one of 1, 2", ""),
                bad(HEAD + "hca: { pkeys: [] }\nguests: 2\n", 3, "hca.pkeys", "", ""),
                bad(HEAD + "hca: { ports: [] }\nguests: 2\n", 3, "hca.ports", "[], must be", ""),
                bad(HEAD + "guests: { a: { weight: x } }\n", 3, "guests.a", "not an integer", ""),
                bad(HEAD + "guests: { a: { memory: 4e4096 } }\n", 3, "guests.a.memory", "out of range", ""),
                bad(
                        HEAD + "guests: { a: { memory: 7.5e7777777716 } }\n",
                        3,
                        "guests.a.memory",
                        "7.5e7777777716 is not a number",
                        ""),
                bad(
                        HEAD + "guests: { a: { memory: " + "7".repeat(2000) + " } }\n",
                        3,
                        "guests.a.memory",
                        "7".repeat(40) + " and more is out of range",
                        ""),
                bad(HEAD + "guests: { a: { memory: .nan } }\n", 3, "guests", "is not a number", ""),
                bad(HEAD + "guests: { a: { memory: 1025GiB } }\n", 3, "guests.a.memory", "must be 1MiB to 1024GiB", ""),
                bad(
                        HEAD + "hca: { name: 'H v' }\nguests: 2\n",
                        3,
                        "hca.name",
                        "'H v' is no name of an HCA",
                        "up to 16"),
                bad(
                        HEAD + "guests: { a: { quota: { mr: 20000 } }, b: {}, c: {}, d: {} }\n",
                        3,
                        "guests.a.quota.mr",
                        "",
                        ""),
                bad(HEAD + "hca: { pkeys: [ffff] }\nguests: 2\n", 3, "hca.pkeys", "'ffff' is not a P_Key", "write 0x"),
                bad(
                        HEAD + "hca:\n  pkeys: [0xffff, 0x8000]\nguests: 2\n",
                        4,
                        "hca.pkeys",
                        "P_Key 0x8000 names no partition",
                        "0xffff"),
                bad(
                        HEAD + "hca: { pkeys: [0x8001, 32769] }\nguests: 2\n",
                        3,
                        "hca.pkeys",
                        "0x8001 is there twice",
                        ""));
    }

    private static Arguments bad(String text, int line, String path, String what, String hint) {
        return Arguments.of(text, line, path, what, hint);
    }

    @ParameterizedTest
    @MethodSource("badFiles")
    void saysWhatIsWrongAndWhere(String text, int line, String path, String what, String hint) {
        HvException failure = failure(text);

        assertThat(failure).isNotNull();
        assertThat(failure.exit()).isEqualTo(ExitCode.INVALID_TOPOLOGY);
        Problem problem = failure.problems().getFirst();
        assertThat(problem.file()).isEqualTo("t.hv.yaml");
        assertThat(problem.line()).isEqualTo(line);
        assertThat(problem.path()).startsWith(path);
        assertThat(problem.what()).contains(what);
        assertThat(problem.hint()).contains(hint);
        assertThat(problem.text()).doesNotContain("\n");
    }

    @Test
    void namesAllMistakesInOrder() {
        HvException failure =
                failure(HEAD + "guests:\n" + "  a: { weigth: 1 }\n" + "  b: { memory: 1MB }\n" + "hca: { mut: 1 }\n");

        assertThat(failure.problems()).extracting(Problem::line).containsExactly(4, 5, 6);
    }

    @Test
    void quotasThatFitExactlyAreTaken() throws HvException {
        Topology topology = parse(HEAD
                + "hca: { limits: { max-mr: 10 } }\n"
                + "guests: { a: { quota: { mr: 4 } }, b: { quota: { mr: 6 } } }\n");

        assertThat(topology.guests()).hasSize(2);
    }

    @Test
    void windowsAreLimitedAsRegionsAre() {
        HvException failure = failure(HEAD
                + "hca: { limits: { max-mr: 10 } }\n"
                + "guests: { a: { quota: { mw: 4 } }, b: { quota: { mw: 7 } } }\n");

        assertThat(failure.problems().getFirst().what())
                .contains("MW quotas add up to 11 (a: 4, b: 7); the HCA has 10");
        assertThat(failure.problems().getFirst().hint()).endsWith("hca.limits.max-mr");
    }

    @Test
    void silentGuestsShareWhatOthersLeave() throws HvException {
        Topology topology =
                parse(HEAD + "hca: { limits: { max-qp: 100 } }\n" + "guests: { a: { quota: { qp: 40 } }, b: , c: }\n");

        assertThat(topology.guests())
                .extracting(guest -> guest.quota().get("qp"))
                .containsExactly(40L, 30L, 30L);
    }

    @Test
    void nothingLeftForASilentGuestIsAnError() {
        HvException failure =
                failure(HEAD + "hca: { limits: { max-cq: 10 } }\n" + "guests:\n  a: { quota: { cq: 10 } }\n  b:\n");

        assertThat(failure.problems().getFirst().text())
                .startsWith("t.hv.yaml:6: the quotas of others leave no cq of the HCA's 10 for b");
    }

    @Test
    void missingFileIsNotFound(@TempDir Path folder) {
        HvException failure = catchThrowableOfType(
                HvException.class,
                () -> TopologyLoader.load(folder.resolve("no.hv.yaml"), "no.hv.yaml", new ExamplePrograms()));

        assertThat(failure.exit()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(failure.problems().getFirst().text()).contains("no.hv.yaml");
    }

    @Test
    void binaryFileIsInvalid(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("b.hv.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        HvException failure =
                catchThrowableOfType(HvException.class, () -> TopologyLoader.load(file, "b", new ExamplePrograms()));

        assertThat(failure.exit()).isEqualTo(ExitCode.INVALID_TOPOLOGY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pair", "star4", "native-vs-guest", "lossy-link"})
    void examplesAreValid(String name) throws HvException {
        Path file = Path.of("..", "examples", name + ".hv.yaml");

        Topology topology = TopologyLoader.load(file, name, new ExamplePrograms());

        assertThat(topology.name()).isEqualTo(name);
        assertThat(topology.warnings()).isEmpty();
        assertThat(topology.guests()).allMatch(guest -> guest.app().isPresent());
    }

    @Test
    void sumsOfManyGuestsAreShortened() {
        HvException failure = failure(HEAD + "defaults: { guest: { quota: { pd: 1000 } } }\n" + "guests: 6\n");

        assertThat(failure.problems().getFirst().what())
                .contains("6000 (g1: 1000, g2: 1000, g3: 1000, g4: 1000, 2 more)");
    }

    @Test
    void warnsOnceOfEachLine() throws HvException {
        Topology topology = parse(HEAD + "guests: { a: {}, b: {} }\n" + "checks:\n  - { name: x, bench: {} }\n");

        assertThat(topology.warnings()).doesNotHaveDuplicates();
    }
}
