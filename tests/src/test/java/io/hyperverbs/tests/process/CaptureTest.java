package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.tests.wire.Tshark;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code hv capture} of machines whose guests exchange messages, read by Wireshark. */
@Order(2)
@SeveralEngines
@RunsWhenChanged
class CaptureTest {
    private static final String LINKED = """
        apiVersion: hv/v1
        name: captured
        hcas: { hv0: { core: shared }, hv1: { core: shared } }
        links: { hv0-hv1: { %s } }
        guests: { a: {}, b: { hca: hv1 } }
        """;

    private static final String COMMENT = "frame.comment";
    private static final String INTERFACE = "frame.interface_name";
    private static final String DIRECTION = "frame.packet_flags_direction";
    private static final String TIME = "frame.time_epoch";
    private static final String PSN = "infiniband.bth.psn";
    private static final String OPCODE = "infiniband.bth.opcode";
    private static final String SYNDROME = "infiniband.aeth.syndrome.opcode";
    private static final String COMPLAINT = "_ws.expert.message";
    private static final String CHECKSUM = "ip.checksum.status";
    private static final String CRC = "infiniband.invariant.crc";
    private static final List<String> FIELDS =
            List.of(COMMENT, INTERFACE, DIRECTION, TIME, PSN, OPCODE, SYNDROME, COMPLAINT, CHECKSUM, CRC);
    private static final String SENT = "0x00000002";
    private static final String NAK = "3";

    @TempDir
    Path folder;

    private HvProcess hv;

    @BeforeEach
    void newProcesses() throws Exception {
        // A shell that starts the build in the background has its children ignore SIGINT.
        hv = new HvProcess().under(List.of("env", "--default-signal=INT"));
    }

    @AfterEach
    void down() throws Exception {
        hv.close();
    }

    private void up(String topology) throws Exception {
        Path file = folder.resolve("captured.hv.yaml");
        Files.writeString(file, topology);
        hv.run("-t", file.toString(), "up", "-d").expect(0);
    }

    private Path file(String name) {
        return folder.resolve(name + ".pcapng");
    }

    private Process start(String name, String... args) throws Exception {
        return hv.start(folder.resolve(name + ".out"), folder.resolve(name + ".err"), args);
    }

    private String err(String name) throws Exception {
        return Files.readString(folder.resolve(name + ".err"));
    }

    /** A capture into {@code name}.pcapng that is on. */
    private Process capture(String name, String... more) throws Exception {
        List<String> args = new ArrayList<>(List.of("capture", "-w", file(name).toString()));
        args.addAll(List.of(more));
        Process capture = start(name, args.toArray(String[]::new));
        await().atMost(Duration.ofMinutes(1)).until(() -> err(name).contains("capturing"));
        return capture;
    }

    private static void signal(Process process, String signal) throws Exception {
        int sent = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(sent).isZero();
    }

    private void expectExit(Process process, String name, int exit) throws Exception {
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("%s ends", name).isTrue();
        assertThat(process.exitValue()).as("%s: %s", name, err(name)).isEqualTo(exit);
    }

    private void pingpong(String size, int rounds) throws Exception {
        String count = Integer.toString(rounds);
        Process listener = start("b", "run", "--in", "b", "pingpong", "-s", size, "-n", count, "-w", "0");
        Process caller = start("a", "run", "--in", "a", "pingpong", "-s", size, "-n", count, "-w", "0", "b");
        expectExit(caller, "a", 0);
        expectExit(listener, "b", 0);
    }

    @Test
    void bothEndsOfALossyLinkAreSeen() throws Exception {
        assumeTrue(Tshark.isInstalled(), "tshark is not installed (Debian: tshark)");
        up(LINKED.formatted("loss: 2%, seed: 3"));
        Process capture = capture("wire");

        pingpong("8192", 200);
        signal(capture, "INT");
        expectExit(capture, "wire", 130);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file("wire"))))
                .isEqualTo("rw-------");
        List<Map<String, String>> all = Tshark.dissect(file("wire"), FIELDS);
        assertInOrder(all);
        assertVerbsComeBeforeWhatTheyAllow(all);
        List<Map<String, String>> packets =
                all.stream().filter(packet -> packet.containsKey(PSN)).toList();
        assertThat(packets).hasSizeGreaterThan(2 * 200 * 2 * 4);
        assertThat(packets)
                .allSatisfy(packet -> assertThat(packet)
                        .containsEntry(CHECKSUM, "1")
                        .containsKeys(OPCODE, CRC, DIRECTION)
                        .satisfies(one -> assertThat(one.get(COMPLAINT)).isEqualTo(one.get(COMMENT))));
        List<Map<String, String>> lost =
                packets.stream().filter(packet -> packet.containsKey(COMMENT)).toList();
        assertThat(lost)
                .isNotEmpty()
                .allSatisfy(packet -> assertThat(packet.get(COMMENT)).startsWith("lost on"));
        assertThat(lost.size()).isEqualTo(lossesCounted());
        assertThat(packets).anyMatch(packet -> NAK.equals(packet.get(SYNDROME)));
        assertThat(sentAgain(packets)).isPositive();
    }

    /** Packets with data that left a port with a PSN that had been there. */
    private static long sentAgain(List<Map<String, String>> packets) {
        List<String> data = packets.stream()
                .filter(packet -> packet.get(DIRECTION).equals(SENT) && !packet.containsKey(SYNDROME))
                .map(packet -> packet.get(INTERFACE) + " " + packet.get(PSN))
                .toList();
        return data.size() - data.stream().distinct().count();
    }

    private static void assertVerbsComeBeforeWhatTheyAllow(List<Map<String, String>> all) {
        for (String end : List.of("hv0 a", "hv1 b")) {
            String[] names = end.split(" ");
            List<String> seen = all.stream()
                    .filter(one -> one.get(INTERFACE).startsWith(names[0]))
                    .map(one -> one.getOrDefault(COMMENT, one.get(INTERFACE) + one.get(DIRECTION)))
                    .toList();
            int connected = last(seen, names[1] + " modify_qp\\(.*RTS.*\\) = 0 <.*us>");
            assertThat(connected).as("modify_qp to RTS of %s in %s", end, seen).isNotNegative();
            assertThat(connected).isLessThan(seen.indexOf(names[0] + "/1" + SENT));
            assertThat(last(seen, names[1] + " destroy_qp\\(qp=0x[0-9a-f]{6}\\) = 0 .*"))
                    .isGreaterThan(connected);
        }
    }

    private static int last(List<String> lines, String pattern) {
        int found = -1;
        for (int i = 0; i < lines.size(); i++) {
            found = lines.get(i).matches(pattern) ? i : found;
        }
        return found;
    }

    private static void assertInOrder(List<Map<String, String>> packets) {
        List<BigDecimal> times =
                packets.stream().map(packet -> new BigDecimal(packet.get(TIME))).toList();
        assertThat(times).isSortedAccordingTo(Comparator.naturalOrder());
    }

    private long lossesCounted() throws Exception {
        long losses = 0;
        for (JsonNode link : hv.run("link", "--format", "json").expect(0).json().get("links")) {
            losses += link.get("losses").asLong();
        }
        return losses;
    }

    @InEachBuild
    @Test
    void messagesWithinAnHcaAreShownAsPackets() throws Exception {
        assumeTrue(Tshark.isInstalled(), "tshark is not installed (Debian: tshark)");
        up("""
            apiVersion: hv/v1
            name: captured
            hca: { core: shared }
            guests: { a: {}, b: {} }
            """);
        Process capture = capture("inside");

        pingpong("8192", 20);
        signal(capture, "TERM");
        expectExit(capture, "inside", 143);

        List<Map<String, String>> all = Tshark.dissect(file("inside"), FIELDS);
        assertInOrder(all);
        List<Map<String, String>> packets = all.stream()
                .filter(one -> one.get(INTERFACE).equals("hv0/inside"))
                .toList();
        assertThat(packets)
                .allSatisfy(packet -> assertThat(packet)
                        .containsEntry(CHECKSUM, "1")
                        .containsKeys(PSN, OPCODE, CRC)
                        .doesNotContainKeys(COMPLAINT));
        // Of each message four packets of data and an acknowledgement; what found no receive came again.
        assertThat(packets.stream()
                        .filter(packet -> !packet.containsKey(SYNDROME))
                        .map(packet -> packet.get(PSN))
                        .distinct())
                .hasSize(2 * 20 * 4);
        assertThat(packets.stream().filter(packet -> "0".equals(packet.get(SYNDROME))))
                .hasSize(2 * 20);
    }

    @Test
    void endsByItselfAndOneAtATime() throws Exception {
        up(LINKED.formatted(""));
        Process first = capture("first", "-i", "hv0/1", "-c", "10", "--no-verbs");

        assertThat(hv.run("capture", "-i", "hv0", "-w", file("second").toString())
                        .expect(5)
                        .err())
                .contains("HCA hv0 is being captured already");
        Process piped = start("piped", "capture", "-i", "hv1", "--duration", "1ms", "-w", "-");
        expectExit(piped, "piped", 0);
        assertThat(err("piped")).contains(" packets");
        assertThat(Files.readAllBytes(folder.resolve("piped.out"))).startsWith(0x0a, 0x0d, 0x0d, 0x0a);
        pingpong("100", 50);

        expectExit(first, "first", 0);
        assertThat(err("first")).contains("10 packets").contains("first.pcapng");
        Process last = capture("last");
        hv.run("down").expect(0);
        expectExit(last, "last", 0);
        assertThat(err("last")).contains("hv0, hv1 ended");
    }

    @Test
    void aKilledReaderLeavesNothing() throws Exception {
        up(LINKED.formatted(""));
        Process killed = capture("killed");
        assertThat(rings()).isPositive();

        signal(killed, "KILL");
        assertThat(killed.waitFor(1, TimeUnit.MINUTES)).isTrue();

        await().atMost(Duration.ofSeconds(30)).until(() -> rings() == 0);
        Process next = capture("next", "-c", "1");
        pingpong("100", 10);
        expectExit(next, "next", 0);
    }

    /** How many rings are mapped by VMM and device domains. */
    private long rings() throws Exception {
        long rings = 0;
        List<ProcessHandle> domains = hv.processes();
        Stream<ProcessHandle> parents = domains.stream().flatMap(one -> one.parent().stream());
        for (ProcessHandle process :
                Stream.concat(domains.stream(), parents).distinct().toList()) {
            Path maps = Path.of("/proc/" + process.pid() + "/maps");
            assumeTrue(Files.isReadable(maps), "mappings of trusted processes are shown to root alone");
            rings += Files.readString(maps)
                    .lines()
                    .filter(line -> line.contains("memfd:capture"))
                    .count();
        }
        return rings;
    }

    @Test
    void aReaderThatIsTooSlowHoldsNobodyUp() throws Exception {
        up(LINKED.formatted(""));
        Process slow = capture("slow", "-B", "64KiB");
        signal(slow, "STOP");

        pingpong("65536", 300);

        signal(slow, "CONT");
        signal(slow, "TERM");
        expectExit(slow, "slow", 143);
        assertThat(err("slow")).containsPattern("[1-9][0-9]* packets not captured: the reader was too slow");
    }

    @Test
    void mistakesAreNamed() throws Exception {
        up(LINKED.formatted(""));
        String out = file("none").toString();

        assertThat(hv.run("capture").expect(2).err()).contains("--write");
        assertThat(hv.run("capture", "-i", "hv7/1", "-w", out).expect(4).err()).contains("no interface 'hv7/1'");
        assertThat(hv.run("capture", "-i", "nothing", "-w", out).expect(4).err())
                .contains("there are hv0, hv0/1, hv0/2, hv1, hv1/1, hv1/2");
        assertThat(hv.run("capture", "-i", "hv0/3", "-w", out).expect(4).err()).contains("no interface 'hv0/3'");
        assertThat(hv.run("capture", "-c", "0", "-w", out).expect(2).err()).contains("at least 1");
        assertThat(hv.run("capture", "-s", "10", "-w", out).expect(2).err()).contains("64 to 262144");
        assertThat(hv.run("capture", "-B", "1", "-w", out).expect(2).err()).contains("64KiB to 1GiB");
        assertThat(hv.run("capture", "--duration", "0s", "-w", out).expect(2).err())
                .contains("such as 10s");
        assertThat(hv.run("capture", "-w", folder.resolve("no/such").toString())
                        .expect(4)
                        .err())
                .contains("no such folder");
        assertThat(hv.run("-t", "other", "capture", "-w", out).expect(4).err()).contains("other is not running");
        assertThat(file("none")).doesNotExist();
    }
}
