package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.vmm.sandbox.SandboxProbe;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Stock programs of IP between guests, over verbs. */
@SeveralEngines
@RunsWhenChanged({"libibverbs", "upper/ipoib"})
class IpoibTest {
    private static final String TOPOLOGY = """
        hcas: { hv0: { mtu: 4096 }, hv1: { mtu: 4096 } }
        defaults: { guest: { executables: { count: 1, memory: 16MiB }, pkeys: [0xffff] } }
        guests:
          a: { hca: hv0, ip: { address: 10.1.0.1/24 } }
          b: { hca: hv0, ip: { address: 10.1.0.2/24 } }
          far: { hca: hv1, ip: { address: 10.1.0.3/24 } }
          slow: { hca: hv0, path: forwarded, ip: { address: 10.1.0.4/24 } }
          apart: { hca: hv0, pkeys: [0x8001], ip: { address: 10.1.0.5/24, pkey: 0x8001, mode: connected } }
          beside: { hca: hv0, pkeys: [0xffff, 0x8001], ip: { address: 10.1.0.6/24, pkey: 0x8001, mode: connected } }
          same: { hca: hv0, ip: { address: 10.2.0.1/24 } }
          long: { hca: hv0, ip: { address: 10.1.0.7/24, mode: connected } }
          long-near: { hca: hv0, ip: { address: 10.1.0.8/24, mode: connected } }
          long-far: { hca: hv1, ip: { address: 10.1.0.9/24, mode: connected } }
        """;

    /** Seconds between packets, and for the last one's answer: once one has come, -W says nothing any more (ping(8)). */
    private static final String PATIENCE = "1";

    @TempDir
    static Path folder;

    private static ExecutableGuests guests;

    @BeforeAll
    static void up() throws Exception {
        ExecutableGuests.assumeAddresses();
        ExecutableGuests.assumePrograms(List.of("ping", "python3"), "iputils-ping, python3");
        guests = ExecutableGuests.start(folder, "ipoib", TOPOLOGY);
    }

    @AfterAll
    static void down() throws Exception {
        if (guests != null) {
            guests.close();
        }
    }

    /** On the same HCA, on another one over the wire, and through the hypervisor. */
    @ParameterizedTest
    @ValueSource(strings = {"b", "far", "slow"})
    void aGuestPingsAnotherByName(String other) throws Exception {
        assertThat(guests.exec("a", ping(other)).expect(0).out()).contains("3 packets transmitted, 3 received");
        assertThat(guests.exec(other, ping("a")).expect(0).out()).contains("3 packets transmitted, 3 received");
    }

    /** Its address is the kernel's choice; its group is asked for it. */
    @ParameterizedTest
    @ValueSource(strings = {"b", "far"})
    void aGuestPingsAnotherByIpv6(String other) throws Exception {
        String address =
                guests.exec(other, python(Programs.LINK_LOCAL)).expect(0).out().strip();

        assertThat(guests.exec("a", ping(address + "%ib0")).expect(0).out())
                .contains("3 packets transmitted, 3 received");
    }

    /** Packets that are as long as the link takes, and longer ones, which the kernel cuts. */
    @Test
    void longPacketsPass() throws Exception {
        for (String size : List.of("4064", "20000")) {
            assertThat(guests.exec("a", List.of("ping", "-s", size, "-c", "2", "-i", PATIENCE, "-W", "5", "b"))
                            .expect(0)
                            .out())
                    .contains("2 received");
        }
    }

    /** One packet each, on the same HCA and on another. */
    @ParameterizedTest
    @ValueSource(strings = {"long-near", "long-far"})
    void guestsWithConnectionsSendLongPackets(String other) throws Exception {
        for (String from : List.of("long", other)) {
            String to = from.equals("long") ? other : "long";
            assertThat(guests.exec(from, whole(60_000, to)).expect(0).out())
                    .contains("3 packets transmitted, 3 received");
        }
    }

    /** What is too long for a guest with datagrams comes back with the length that is not, and shorter packets pass. */
    @Test
    void icmpSaysToASocketWhatAGuestWithDatagramsTakes() throws Exception {
        HvProcess.Outcome refused = guests.exec("long", whole(60_000, "b"));

        assertThat(refused.exit()).isNotZero();
        assertThat(refused.out() + refused.err()).contains("mtu = 4092");
        assertThat(guests.exec("long", ping("b")).expect(0).out()).contains("3 packets transmitted, 3 received");
        assertThat(guests.exec("b", ping("long")).expect(0).out()).contains("3 packets transmitted, 3 received");
    }

    @Test
    void anAddressThatNobodyHasIsNotReached() throws Exception {
        assertThat(guests.exec("a", List.of("ping", "-c", "2", "-i", "0.2", "-W", "2", "10.1.0.77"))
                        .out())
                .contains("0 received");
    }

    /** Two guests of one partition reach each other, those of another do not: their broadcasts do not come. */
    @Test
    void aGuestOfAnotherPartitionIsNotReached() throws Exception {
        assertThat(guests.exec("apart", ping("beside")).expect(0).out()).contains("3 packets transmitted, 3 received");
        assertThat(guests.exec("beside", whole(60_000, "apart")).expect(0).out())
                .contains("3 packets transmitted, 3 received");
        assertThat(guests.exec("a", List.of("ping", "-c", "2", "-i", "0.2", "-W", "2", "apart"))
                        .out())
                .contains("0 received");
        assertThat(guests.exec("apart", List.of("ping", "-c", "2", "-i", "0.2", "-W", "2", "a"))
                        .out())
                .contains("0 received");
    }

    /** A guest of another IP network is on the same link, and has no route. */
    @Test
    void aGuestOfAnotherNetworkHasNoRoute() throws Exception {
        HvProcess.Outcome outcome = guests.exec("same", ping("10.1.0.1"));

        assertThat(outcome.exit()).isNotZero();
        assertThat(outcome.out() + outcome.err()).contains("Network is unreachable");
    }

    /** Of what a socket sends to a group each member gets a copy, on the same HCA and on another. */
    @Test
    void multicastReachesItsMembers() throws Exception {
        CompletableFuture<HvProcess.Outcome> joins = guests.inBackground("b", python(Programs.MEMBER));
        CompletableFuture<HvProcess.Outcome> joinsFar = guests.inBackground("far", python(Programs.MEMBER));

        guests.exec("a", python(Programs.MULTICAST)).expect(0);

        assertThat(joins.get(60, TimeUnit.SECONDS).expect(0).out()).contains("got it");
        assertThat(joinsFar.get(60, TimeUnit.SECONDS).expect(0).out()).contains("got it");
    }

    /** 10^8 bytes; the receiver's digest is the sender's. */
    @ParameterizedTest
    @CsvSource({"a, b", "a, far", "a, slow", "long, long-near", "long, long-far", "long, b", "b, long"})
    void aStreamArrivesAsItWasSent(String from, String other) throws Exception {
        CompletableFuture<HvProcess.Outcome> receives = guests.inBackground(120, other, python(Programs.RECEIVE));

        String sent =
                guests.exec(120, from, python(Programs.SEND, other)).expect(0).out();

        assertThat(sent).startsWith("100000000 ");
        assertThat(receives.get(180, TimeUnit.SECONDS).expect(0).out()).isEqualTo(sent);
    }

    @Test
    void iperf3MeasuresTheLink() throws Exception {
        ExecutableGuests.assumePrograms(List.of("iperf3"), "iperf3");
        CompletableFuture<HvProcess.Outcome> serves = guests.inBackground("b", List.of("iperf3", "-s", "-1"));
        awaitPort("b", 5201, serves);

        HvProcess.Outcome client = guests.exec("a", List.of("iperf3", "-c", "b", "-t", "2"));

        assertThat(client.expect(0).out()).contains("iperf Done.");
        serves.get(60, TimeUnit.SECONDS).expect(0);
    }

    @InEachBuild
    @Test
    void redisAnswersAnotherGuest() throws Exception {
        ExecutableGuests.assumePrograms(List.of("redis-server", "redis-benchmark"), "redis-server, redis-tools");
        CompletableFuture<HvProcess.Outcome> serves = guests.inBackground(
                "b",
                List.of("redis-server", "--protected-mode", "no", "--bind", "10.1.0.2", "--save", "", "--dir", "/tmp"));
        awaitPort("b", 6379, serves);

        HvProcess.Outcome client = guests.exec(
                "a", List.of("redis-benchmark", "-h", "b", "-n", "20000", "-c", "20", "-t", "set,get", "--csv"));

        assertThat(client.expect(0).out()).contains("\"SET\",").contains("\"GET\",");
        assertThat(guests.exec("a", List.of("redis-cli", "-h", "b", "shutdown", "nosave"))
                        .exit())
                .isIn(0, 1);
        serves.get(60, TimeUnit.SECONDS).expect(0);
    }

    /** The kernel takes its interface and its namespace away, and the other's address resolution gives it up. */
    @ParameterizedTest
    @ValueSource(strings = {"datagram", "connected"})
    void aGuestThatIsKilledIsNotReachedAnyMore(String mode) throws Exception {
        ExecutableGuests pair = ExecutableGuests.start(folder, "ipoib-killed-" + mode, """
            defaults: { guest: { executables: { count: 1, memory: 16MiB }, pkeys: [0xffff] } }
            guests:
              a: { ip: { address: 10.1.0.1/24, mode: MODE } }
              b: { ip: { address: 10.1.0.2/24, mode: MODE } }
            faults: [ { at: 8s, kill: b } ]
            """.replace("MODE", mode));
        try {
            HvProcess.Outcome pings = pair.exec("a", List.of("ping", "-c", "70", "-i", "0.2", "-W", "2", "b"));

            assertThat(pings.out()).contains("70 packets transmitted").doesNotContain(" 0 received", " 70 received");
            assertThat(pair.run("rdma", "resource", "show", "qp").expect(0).out())
                    .as("connections")
                    .contains(" UD ")
                    .doesNotContain(" RC ");
        } finally {
            pair.close();
        }
    }

    /** Native domains have addresses too. */
    @ParameterizedTest
    @ValueSource(strings = {"datagram", "connected"})
    void hvBenchIpComparesThePaths(String mode) throws Exception {
        try (HvProcess hv = new HvProcess()) {
            if (!SandboxProbe.isRoot()) {
                assertThat(hv.run("bench", "ip", "--mode", mode).expect(1).err())
                        .startsWith("hv: hv bench ip needs root, ");
                return;
            }
            JsonNode rows = hv.run("bench", "ip", "--mode", mode, "--rounds", "1", "-s", "4096", "--format", "json")
                    .expect(0)
                    .json()
                    .get("rows");

            assertThat(rows).hasSize(2);
            for (JsonNode row : rows) {
                assertThat(row.get("native").asDouble()).isPositive();
                assertThat(row.get("bypass").asDouble()).isPositive();
                assertThat(row.get("forwarded").asDouble()).isPositive();
            }
        }
    }

    private static void awaitPort(String guest, int port, CompletableFuture<HvProcess.Outcome> serves)
            throws Exception {
        Instant end = Instant.now().plus(Duration.ofSeconds(30));
        while (guests.exec(guest, python(Programs.CONNECT, guest, Integer.toString(port)))
                        .exit()
                != 0) {
            assertThat(serves.isDone()).as("server").isFalse();
            assertThat(Instant.now()).as("no server yet").isBefore(end);
        }
    }

    private static List<String> ping(String to) {
        return List.of("ping", "-c", "3", "-i", PATIENCE, "-W", "5", to);
    }

    /** So many bytes in one packet, which nobody may cut. */
    private static List<String> whole(int bytes, String to) {
        return List.of("ping", "-M", "do", "-s", Integer.toString(bytes), "-c", "3", "-i", PATIENCE, "-W", "5", to);
    }

    private static List<String> python(String program, String... args) {
        List<String> words = new ArrayList<>(List.of("python3", "-I", "-c", program));
        words.addAll(List.of(args));
        return words;
    }

    /** Clients and servers in Python, which each computer has that has rdma-core's tests. */
    private static final class Programs {
        static final String LINK_LOCAL = """
            import socket
            for line in open('/proc/net/if_inet6'):
                words = line.split()
                if words[5] == 'ib0' and words[3] == '20':
                    print(socket.inet_ntop(socket.AF_INET6, bytes.fromhex(words[0])))
            """;

        /** Whether somebody listens at a port, without a connection that a server of one client would count. */
        static final String CONNECT = """
            import sys
            port = ':%04X' % int(sys.argv[2])
            lines = open('/proc/net/tcp').readlines() + open('/proc/net/tcp6').readlines()
            sys.exit(0 if any(l.split()[1].endswith(port) and l.split()[3] == '0A' for l in lines) else 1)
            """;

        static final String MEMBER = """
            import socket, struct
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.bind(('', 5007))
            index = socket.if_nametoindex('ib0')
            group = struct.pack('4s4si', socket.inet_aton('239.9.9.9'), b'\\0' * 4, index)
            s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
            s.settimeout(40)
            data, sender = s.recvfrom(2000)
            s.sendto(b'got it', sender)
            print('got it' if data == b'hello' and sender[0] == '10.1.0.1' else data)
            """;

        /** Sends until both members have answered. */
        static final String MULTICAST = """
            import socket, time, sys
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton('10.1.0.1'))
            s.settimeout(0.2)
            seen = set()
            end = time.monotonic() + 40
            while len(seen) < 2 and time.monotonic() < end:
                s.sendto(b'hello', ('239.9.9.9', 5007))
                try:
                    seen.add(s.recvfrom(100)[1][0])
                except socket.timeout:
                    pass
            sys.exit(0 if seen == {'10.1.0.2', '10.1.0.3'} else str(seen))
            """;

        static final String SEND = """
            import hashlib, random, socket, sys, time
            end = time.monotonic() + 60
            while True:
                try:
                    s = socket.create_connection((sys.argv[1], 5008))
                    break
                except ConnectionRefusedError:
                    if time.monotonic() > end:
                        raise
            digest = hashlib.sha256()
            draw = random.Random(7)
            left = 100000000
            while left:
                part = draw.randbytes(min(left, 1000000))
                digest.update(part)
                s.sendall(part)
                left -= len(part)
            s.close()
            print(100000000, digest.hexdigest())
            """;

        static final String RECEIVE = """
            import hashlib, socket
            server = socket.create_server(('', 5008))
            s, _ = server.accept()
            digest = hashlib.sha256()
            count = 0
            while part := s.recv(1000000):
                count += len(part)
                digest.update(part)
            print(count, digest.hexdigest())
            """;

        private Programs() {}
    }
}
